import type { Context } from "hono";
import { secretHash } from "../platform/secret.ts";
import { findSession, type Session } from "../workspace/sessions/find-session.ts";
import { forgetSecret, rememberSecret } from "./senders.ts";
import { sessionSecret } from "./session-cookie.ts";

/** The browser's session, read on every request; the isolate remembers whether there is one. */
export async function sessionOf(c: Context, db: D1Database): Promise<Session | null> {
  const secret = sessionSecret(c);
  const session = await findSession(db, secret);
  if (secret) (session ? rememberSecret : forgetSecret)(secretHash(secret));
  return session;
}
