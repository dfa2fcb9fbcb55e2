import { sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { adminRoles } from "../../contract/closed-sets.ts";
import { sessions, signInLinks } from "../schema/sessions.ts";
import { members } from "../schema/workspace.ts";
import { after, type Statement } from "../trigger.ts";

/** Whoever is an admin nowhere any more is signed out, and a link that is on its way to them opens nothing. */
export const sessionTriggers: readonly Statement[] = (
  [
    [["role"], "demoted_sign_out"],
    [["email"], "moved_sign_out"],
    ["DELETE", "deleted_sign_out"],
  ] as const
).map(([change, suffix]) =>
  after(members, change, suffix, ({ OLD }) => {
    const leave = (table: SQLiteTable) => sql`DELETE FROM ${table} WHERE email = ${OLD.email}
      AND NOT EXISTS (SELECT 1 FROM ${members} WHERE email = ${OLD.email} AND role IN ${adminRoles})`;
    return { when: sql`${OLD.role} IN ${adminRoles}`, do: [leave(sessions), leave(signInLinks)] };
  }),
);
