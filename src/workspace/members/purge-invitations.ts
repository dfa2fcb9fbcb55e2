import { and, lt } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { build, statement } from "../../db/build.ts";
import { nowWith } from "../../db/columns.ts";
import { notFenced } from "../../db/fencing.ts";
import { isIn } from "../../db/is-in.ts";
import { run } from "../../db/query.ts";
import { invitations } from "./tables.ts";

/** Deletes invitations a day after they expire, including those that were accepted. */
export async function purgeInvitations(db: D1Database): Promise<void> {
  const ids = build.select({ id: invitations.id }).from(invitations);
  const old = ids
    .where(and(lt(invitations.expires_at, nowWith("-1 day")), notFenced(invitations.organization_id)))
    .limit(limits.purgedRowsPerMinute);
  await run(db, statement(build.delete(invitations).where(isIn(invitations.id, old))));
}
