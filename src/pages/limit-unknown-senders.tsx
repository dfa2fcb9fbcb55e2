import type { Context, MiddlewareHandler } from "hono";
import { Refusal } from "../contract/refusal.ts";
import { senderOf } from "../http/sender-of.ts";
import {
  admitSender,
  countUnknownSender,
  forgetSecret,
  isKnownSecret,
  rememberSecret,
} from "../http/senders.ts";
import { sessionSecret } from "../http/session-cookie.ts";
import { note } from "../platform/log.ts";
import { isSecret, secretHash } from "../platform/secret.ts";
import { isShareToken } from "../review/access/share-url.ts";
import { findLiveSecrets } from "./find-live-secrets.ts";
import { showPage } from "./layout.tsx";
import { MessagePage } from "./message.tsx";
import type { PageApp } from "./page-app.ts";
import { keyHashOf } from "./review/cookie.ts";

type C = Context<PageApp>;

/**
 * Limits each sender's requests for pages that find nothing, like the API's 401s. Even while a sender's IP address is
 * blocked, requests are served if they have a live session, an e-mailed key, or a review link that was opened here
 * before.
 */
export const limitUnknownSenders: MiddlewareHandler<PageApp> = async (c, next) => {
  const sender = senderOf(c.req.raw.headers);
  const shown = shownBy(c);
  const refused = await refuse(c, sender, shown);
  if (refused) return refused;
  await next();
  const isKnown = [...shown.secrets, shown.link].some(isKnownSecret);
  if (isNothing(c) && !isKnown) c.executionCtx.waitUntil(countUnknownSender(c.get("services"), sender));
  if (shown.link !== "" && isFound(c)) rememberSecret(shown.link);
  if (shown.mailed !== "" && c.res.status === 404) forgetSecret(shown.mailed);
};

/** Digests of the secrets in a request. Empty for kinds of secrets that the request doesn't have. */
interface Shown {
  /** A review's link, which many people may have. It is not looked up for a blocked sender. */
  link: string;
  /** An e-mailed secret, in the path. */
  mailed: string;
  /** Secrets that belong to one person. */
  secrets: readonly string[];
}

function shownBy(c: C): Shown {
  const [, section, first, second] = c.req.path.split("/");
  const link = section === "review" && first && isShareToken(first) ? secretHash(first) : "";
  const inPath = section === "review" ? second : first;
  const isMailed = ["review", "sign-in", "invitations"].includes(section ?? "");
  const mailed = isMailed && isSecret(inPath) ? secretHash(inPath) : "";
  const session = sessionSecret(c);
  const secrets = [mailed, keyHashOf(c), session ? secretHash(session) : ""].filter((hash) => hash !== "");
  return { link, mailed, secrets };
}

/** Returns a 429 if the sender is blocked and none of the secrets is live. */
async function refuse(c: C, sender: string, { link, secrets }: Shown): Promise<Response | undefined> {
  if (isKnownSecret(link)) return undefined;
  for (;;) {
    const passed = admitSender(sender, secrets);
    if (passed instanceof Refusal) return tooOften(c, passed);
    if (passed.length === 0) return undefined;
    const live = await findLiveSecrets(c.get("services"), passed);
    for (const hash of passed) (live.has(hash) ? rememberSecret : forgetSecret)(hash);
  }
}

function tooOften(c: C, { name, headers }: Refusal): Response {
  note({ code: name });
  const text =
    headers["Retry-After"] === "1" ? "Try again in a few seconds." : "Wait a minute, then try again.";
  return showPage(c, <MessagePage heading="Too much at once" text={text} />, 429, headers);
}

const isFound = ({ req, res }: C) => res.status === 200 || (res.status === 303 && req.method === "POST");

/** Whether the page found nothing. Forms that redirect set `foundNothing` themselves. */
const isNothing = (c: C) =>
  c.get("foundNothing") ||
  c.res.status === 404 ||
  c.res.status === 401 ||
  (c.res.status === 303 && c.req.method === "GET");
