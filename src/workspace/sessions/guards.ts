import { sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { adminRoles } from "../../contract/closed-sets.ts";
import { mailCounts } from "../../core/mails/tables.ts";
import { notFenced } from "../../db/fencing.ts";
import { after, type Statement } from "../../db/trigger.ts";
import { members } from "../members/tables.ts";
import { sessions, signInLinks } from "./tables.ts";

/** Signs out a person who is no longer an admin in any workspace, and invalidates their sign-in links. */
export const sessionGuards: readonly Statement[] = (
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

export const signInLinkGuards: readonly Statement[] = [
  // Sign-in links are counted for the admin's first workspace but never refused, so that no one is locked out.
  after(signInLinks, "INSERT", "mailed", ({ NEW }) => ({
    do: sql`INSERT INTO ${mailCounts} (organization_id, day, address, sign_in_links)
      SELECT organization_id, date('now'), lower(${NEW.email}), 1
      FROM ${members} WHERE email = ${NEW.email} AND role IN ${adminRoles}
        AND ${notFenced(sql`members.organization_id`)} ORDER BY created_at LIMIT 1
      ON CONFLICT (day, organization_id, address) DO UPDATE SET sign_in_links = sign_in_links + 1`,
  })),
];
