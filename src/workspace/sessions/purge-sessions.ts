import { inArray, lt } from "drizzle-orm";
import { sessionLimits } from "../../contract/session-limits.ts";
import { build, statement } from "../../db/build.ts";
import { nowWith } from "../../db/columns.ts";
import { batch } from "../../db/query.ts";
import { purgeInvitations } from "../members/accept-invitation.ts";
import { signInLinks as links, sessions } from "./tables.ts";

/** At most this many in a minute, so that no minute locks the database for long. */
const rowsPerMinute = 500;

/**
 * Deletes sessions, links and invitations that open nothing any more; links and invitations a day later, so that a used
 * link still says where it led.
 */
export async function purgeSessions(db: D1Database): Promise<void> {
  const session = build.select({ key: sessions.token_hash }).from(sessions);
  const link = build.select({ key: links.token_hash }).from(links);
  const unused = session.where(lt(sessions.last_used_at, nowWith(`-${sessionLimits.idleHours} hours`)));
  const old = link.where(lt(links.expires_at, nowWith("-1 day")));
  await batch(db, [
    statement(build.delete(sessions).where(inArray(sessions.token_hash, unused.limit(rowsPerMinute)))),
    purgeInvitations(),
    statement(build.delete(links).where(inArray(links.token_hash, old.limit(rowsPerMinute)))),
  ]);
}
