import type { Context } from "hono";
import type { Services } from "../../core/services.ts";
import { run } from "../../db/query.ts";
import { senderOf } from "../../http/sender-of.ts";
import {
  forgetSecret,
  isKnownSecret,
  isUnknownSecret,
  rememberSecret,
  reserveLookup,
} from "../../http/senders.ts";
import { sessionOf } from "../../http/session-of.ts";
import { isSecret, secretHash } from "../../platform/secret.ts";
import { findKey } from "../../review/visits/find-key.ts";
import type { ReviewVisit } from "../../review/visits/find-review.ts";
import type { OpenWorkspace } from "../../workspace/sessions/find-session.ts";
import type { PageApp } from "../page-app.ts";
import { keyHashOf } from "./cookie.ts";

type C = Context<PageApp>;

/** Returns the requested review and the visitor's key. */
export const visitOf = (c: C): ReviewVisit => ({
  shareToken: c.req.param("token") ?? "",
  keyHash: keyHashOf(c),
});

/** Returns the workspace if the visitor is signed in as its owner or admin. */
export async function adminOf(c: C, organizationId: string): Promise<OpenWorkspace | undefined> {
  const session = await sessionOf(c, c.get("services"));
  return session?.workspaces.find(({ id }) => id === organizationId);
}

/** Limits on visits: for one visitor, and for all visitors without a key together. */
const visitLimits = {
  reads: ({ mayReadReview, mayReadReviewOf }: Services) => ({ one: mayReadReview, all: mayReadReviewOf }),
  forms: ({ mayReadForm, mayReadFormOf }: Services) => ({ one: mayReadForm, all: mayReadFormOf }),
};

/**
 * Whether the visitor may read the review, or submit a form, once more in this minute (contract N10). A visitor with a
 * key has a limit of their own. An unknown key is looked up only once the link's limit is reached.
 */
export async function mayVisit(c: C, kind: keyof typeof visitLimits): Promise<boolean> {
  const services = c.get("services");
  const { one, all } = visitLimits[kind](services);
  const { shareToken, keyHash } = visitOf(c);
  const pathKey = c.req.path.split("/")[3];
  const visit = { shareToken, keyHash: isSecret(pathKey) ? secretHash(pathKey) : keyHash };
  const keyed = keyedVisitor(visit);
  if (isKnownSecret(keyed)) return one(keyed);
  const sender = senderOf(c.req.raw.headers);
  const isAnonymous = kind === "reads" && sender === "";
  if ((isAnonymous || (await one(`${shareToken} ${sender}`))) && (await all(shareToken))) return true;
  const mayLookUp =
    visit.keyHash !== "" && !isUnknownSecret(keyed) && reserveLookup(shareToken, keyed, Date.now());
  if (!mayLookUp) return false;
  const isLive = (await run(services.db, findKey(visit))) !== null;
  rememberKeyOf(visit, isLive);
  return isLive && one(keyed);
}

/** Remembers whether the visitor's key opens the review. The read that finds this out also counts against its limit. */
export function rememberVisitorKey(c: C, visit: ReviewVisit, isLive: boolean): void {
  if (visit.keyHash === "") return;
  const keyed = keyedVisitor(visit);
  if (isLive && !isKnownSecret(keyed)) c.executionCtx.waitUntil(c.get("services").mayReadReview(keyed));
  rememberKeyOf(visit, isLive);
}

const keyedVisitor = ({ shareToken, keyHash }: ReviewVisit): string => `${shareToken} key ${keyHash}`;

function rememberKeyOf(visit: ReviewVisit, isLive: boolean): void {
  for (const known of [visit.keyHash, keyedVisitor(visit)]) (isLive ? rememberSecret : forgetSecret)(known);
}
