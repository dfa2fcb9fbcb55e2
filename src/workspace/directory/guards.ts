import { type SQL, sql } from "drizzle-orm";
import { after, changes, type Statement } from "../../db/trigger.ts";
import { brands } from "../brands/tables.ts";
import { members } from "../members/tables.ts";
import { organizations, plans } from "../organizations/tables.ts";
import { apiTokens } from "../tokens/tables.ts";
import { directoryChanges, newChange } from "./tables.ts";

const isCell = sql`EXISTS (SELECT 1 FROM ${directoryChanges} WHERE id = '')`;

const outdates = (organizationId: SQL) =>
  sql`INSERT INTO ${directoryChanges} (id, changes) VALUES (${organizationId}, ${newChange})
    ON CONFLICT (id) DO UPDATE SET changes = excluded.changes`;

/**
 * Triggers that record every change to a workspace's directory entry, including changes in plain SQL. Imports record
 * their own end.
 */
export const directoryGuards: readonly Statement[] = [
  after(organizations, "INSERT", "to_directory", ({ NEW }) => ({
    when: isCell,
    do: outdates(NEW.id),
  })),
  after(organizations, ["slug", "name", "plan"], "changed_in_directory", ({ NEW }) => ({
    when: isCell,
    do: outdates(NEW.id),
  })),
  after(plans, ["api_access"], "changed_in_directory", ({ NEW, OLD }) => ({
    when: sql`${NEW.api_access} <> ${OLD.api_access} AND ${isCell}`,
    do: sql`INSERT INTO ${directoryChanges} (id, changes) SELECT id, ${newChange} FROM ${organizations}
      WHERE plan = ${NEW.name} ON CONFLICT (id) DO UPDATE SET changes = excluded.changes`,
  })),
  after(organizations, "DELETE", "out_of_directory", ({ OLD }) => ({ when: isCell, do: outdates(OLD.id) })),
  ...[members, apiTokens, brands].flatMap((table) => [
    after(table, "INSERT", "to_directory", ({ NEW }) => ({
      when: isCell,
      do: outdates(NEW.organization_id),
    })),
    after(table, "DELETE", "out_of_directory", ({ OLD }) => ({
      when: isCell,
      do: outdates(OLD.organization_id),
    })),
  ]),
  after(members, ["email", "name", "role"], "changed_in_directory", (rows) => ({
    when: sql`(${changes(rows, "email", "name", "role")}) AND ${isCell}`,
    do: outdates(rows.NEW.organization_id),
  })),
  after(apiTokens, ["revoked_at"], "changed_in_directory", ({ NEW }) => ({
    when: isCell,
    do: outdates(NEW.organization_id),
  })),
  after(brands, ["accent", "logo_sha256"], "changed_in_directory", ({ NEW }) => ({
    when: isCell,
    do: outdates(NEW.organization_id),
  })),
];
