import { and, eq, exists, gt, isNull, type SQL, sql } from "drizzle-orm";
import { authorizePath } from "../../contract/connect-paths.ts";
import { sessionLimits } from "../../contract/session-limits.ts";
import { build, changesRow, insertSelect, row, rowOf, statement } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { batch, type Query } from "../../db/query.ts";
import { newSecret, secretHash } from "../../platform/secret.ts";
import { isAnAdmin } from "./admins.ts";
import { isLiveSession } from "./find-session.ts";
import { signInLinks as links, sessions } from "./tables.ts";

/** The link is unused, has not expired, and was sent to someone who is still an admin. */
const isLive = (link: string): SQL | undefined =>
  and(
    eq(links.token_hash, secretHash(link)),
    isNull(links.used_at),
    gt(links.expires_at, now),
    isAnAdmin(links.email),
  );

/**
 * Finds the address that a link signs in; null if the link is invalid. It does not use up the link, because mail
 * scanners open links.
 */
export const findSignInLink = (link: string): Query<{ email: string } | null> =>
  rowOf(build.select({ email: links.email }).from(links).where(isLive(link)));

const returnPath = sql<string | null>`coalesce(
  ${links.return_path}, ${`${authorizePath}?`} || ${links.connect_query})`.as("return_path");

interface SignedIn {
  secret: string;
  /** The page to return to: a settings page or an app's request to connect. */
  returnPath: string | null;
}

/**
 * Exchanges a link for a session in one transaction, so that only one of two concurrent attempts succeeds; null if
 * the link is invalid. The browser's previous session ends. A second press of the button returns the session of
 * the first.
 */
export async function signIn(db: D1Database, link: string, before = ""): Promise<SignedIn | null> {
  const secret = newSecret();
  const live = isLive(link);
  const session = insertSelect(
    sessions,
    {
      token_hash: secretHash(secret),
      email: sql`${links.email}`,
      expires_at: nowWith(`+${sessionLimits.days} days`),
    },
    sql`FROM ${links} WHERE ${live} RETURNING email`,
  );
  const used = build.update(links).set({ used_at: now }).where(live);
  const path = { return_path: returnPath };
  const begun = build.select({ email: sessions.email }).from(sessions).where(isOf(secret));
  const again = build
    .select(path)
    .from(links)
    .innerJoin(sessions, eq(sessions.email, links.email))
    .where(and(eq(links.token_hash, secretHash(link)), isLiveSession(secretHash(before))));
  const [made, way, pressed] = await batch(db, [
    row({ email: sessions.email }, session),
    row(path, used.returning(path)),
    rowOf(again),
    statement(build.delete(sessions).where(and(isOf(before), exists(begun)))),
  ]);
  if (made) return { secret, returnPath: way?.return_path ?? null };
  return pressed && { secret: before, returnPath: pressed.return_path };
}

const isOf = (secret: string): SQL => eq(sessions.token_hash, secretHash(secret));

/** Signs a browser out; returns whether it was signed in. */
export const endSession = (secret: string): Query<boolean> =>
  changesRow(build.delete(sessions).where(isOf(secret)).returning({ email: sessions.email }));
