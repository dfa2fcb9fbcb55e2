import { and, eq, type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { adminRoles } from "../../contract/closed-sets.ts";
import { isComplete } from "../../db/fencing.ts";
import { isIn } from "../../db/is-in.ts";
import { members } from "../members/tables.ts";

/** Matches the memberships that give an e-mail address, in any letter case, access to the settings. */
export const isAdminAddress = (email: string | SQLWrapper | Placeholder): SQL | undefined =>
  and(eq(members.email, email), isIn(members.role, adminRoles), isComplete(members.organization_id));

/** Whether the address belongs to an admin in any workspace. */
export const isAnAdmin = (email: SQLWrapper): SQL =>
  sql`EXISTS (SELECT 1 FROM ${members} WHERE ${isAdminAddress(email)})`;
