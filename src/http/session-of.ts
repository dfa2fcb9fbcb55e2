import type { Context } from "hono";
import { secretHash } from "../platform/secret.ts";
import { type Accounts, findSession, type Session } from "../workspace/sessions/find-session.ts";
import { forgetSecret, rememberSecret } from "./senders.ts";
import { sessionSecret } from "./session-cookie.ts";

/** Reads the browser's session. The isolate remembers whether there was one. */
export async function sessionOf(c: Context, services: Accounts): Promise<Session | null> {
  const secret = sessionSecret(c);
  const session = await findSession(services, secret);
  if (secret) (session ? rememberSecret : forgetSecret)(secretHash(secret));
  return session;
}
