import type { Context, MiddlewareHandler } from "hono";
import { senderOf } from "../http/sender-of.ts";
import { forgetVisitor, isKnownVisitor, rememberVisitor } from "../http/senders.ts";
import { sessionSecret } from "../http/session-cookie.ts";
import { countUnknownSender, refuseBlocked } from "../http/unknown-senders.ts";
import { secretHash } from "../platform/secret.ts";
import { htmlOf } from "./layout.tsx";
import { MessagePage } from "./message.tsx";
import type { PageApp } from "./page-app.ts";

type C = Context<PageApp>;

/**
 * Pages that find nothing count by their sender like the API's 401s, and a sender with too many waits for a minute.
 * Whose session or review link opened a page here before is served meanwhile.
 */
export const unknownVisitors: MiddlewareHandler<PageApp> = async (c, next) => {
  const sender = senderOf(c.req.raw.headers);
  const visitor = visitorOf(c);
  const blocked = isKnownVisitor(visitor) ? undefined : refuseBlocked(sender);
  if (blocked) return c.html(htmlOf(<MessagePage {...tooOften} />), 429, { ...blocked.headers }) as Response;
  await next();
  if (isSignedOut(c)) forgetVisitor(visitor);
  if (isFound(c) && visitor !== "") rememberVisitor(visitor);
  if (isNothing(c) && !isKnownVisitor(visitor))
    c.executionCtx.waitUntil(countUnknownSender(c.get("services"), sender));
};

const tooOften = { heading: "Too much at once", text: "Wait a minute, then try again." };

/** The digest of the secret that a page of the settings or of a review hangs on; empty for other pages. */
function visitorOf(c: C): string {
  const [, section, token] = c.req.path.split("/");
  const secret = section === "review" ? token : section === "settings" ? sessionSecret(c) : undefined;
  return secret ? secretHash(secret) : "";
}

const isFound = ({ req, res }: C) => res.status === 200 || (res.status === 303 && req.method === "POST");

const isSignedOut = ({ res }: C) =>
  res.status === 401 || (res.status === 303 && res.headers.get("location")?.startsWith("/sign-in") === true);

/** A page of nothing, or one that sends its reader elsewhere; a form says so itself. */
const isNothing = (c: C) =>
  c.get("foundNothing") ||
  c.res.status === 404 ||
  c.res.status === 401 ||
  (c.res.status === 303 && c.req.method === "GET");
