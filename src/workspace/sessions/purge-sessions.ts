import { and, isNull, lt } from "drizzle-orm";
import { connectLimits } from "../../contract/connect-limits.ts";
import { limits } from "../../contract/limits.ts";
import { sessionLimits } from "../../contract/session-limits.ts";
import { build, statement } from "../../db/build.ts";
import { nowWith } from "../../db/columns.ts";
import { isIn } from "../../db/is-in.ts";
import { batch } from "../../db/query.ts";
import { connections } from "../connections/tables.ts";
import { signInLinks as links, sessions } from "./tables.ts";

/**
 * Deletes idle sessions, sign-in links a day after they expire (a second press of the button still reads the
 * return path), and grants that the app never exchanged.
 */
export async function purgeSessions(db: D1Database): Promise<void> {
  const session = build.select({ key: sessions.token_hash }).from(sessions);
  const link = build.select({ key: links.token_hash }).from(links);
  const unused = session.where(lt(sessions.last_used_at, nowWith(`-${sessionLimits.idleHours} hours`)));
  const granted = build.select({ key: connections.id }).from(connections);
  const unfetched = granted.where(
    and(
      isNull(connections.connected_at),
      lt(connections.created_at, nowWith(`-${connectLimits.codeKnownMinutes} minutes`)),
    ),
  );
  const old = link.where(lt(links.expires_at, nowWith("-1 day")));
  await batch(db, [
    statement(
      build.delete(sessions).where(isIn(sessions.token_hash, unused.limit(limits.purgedRowsPerMinute))),
    ),
    statement(build.delete(links).where(isIn(links.token_hash, old.limit(limits.purgedRowsPerMinute)))),
    statement(
      build.delete(connections).where(isIn(connections.id, unfetched.limit(limits.purgedRowsPerMinute))),
    ),
  ]);
}
