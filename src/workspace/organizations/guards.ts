import { sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { randomPrefix } from "../../db/columns.ts";
import { frozen } from "../../db/guards.ts";
import { after, raise, type Statement } from "../../db/trigger.ts";
import { apiTokens } from "../tokens/tables.ts";
import { organizations, plans } from "./tables.ts";

export const organizationsGuards: readonly Statement[] = [
  after(organizations, "INSERT", "prefixed", ({ NEW }) => ({
    when: sql`${NEW.link_prefix} = ''`,
    do: sql`UPDATE ${organizations} SET link_prefix = ${randomPrefix} WHERE id = ${NEW.id}`,
  })),
  // Existing links keep their prefix.
  frozen(organizations, ["link_prefix"], ({ link_prefix }) => sql`${link_prefix} <> ''`, "link_prefix_kept"),
  after(organizations, ["plan"], "plan_moves_tokens", ({ NEW, OLD }) => ({
    when: sql`${NEW.plan} <> ${OLD.plan}`,
    do: sql`UPDATE ${apiTokens} SET has_api_access = (SELECT api_access FROM ${plans} WHERE name = ${NEW.plan})
      WHERE organization_id = ${NEW.id}`,
  })),
  after(plans, ["api_access"], "api_access_moves_tokens", ({ NEW, OLD }) => ({
    when: sql`${NEW.api_access} <> ${OLD.api_access}`,
    do: sql`UPDATE ${apiTokens} SET has_api_access = ${NEW.api_access}
      WHERE organization_id IN (SELECT id FROM ${organizations} WHERE plan = ${NEW.name})`,
  })),
  // Only growth is refused, because a workspace that has moved to a smaller plan keeps its records.
  after(organizations, ["record_count"], "records_cap", ({ NEW, OLD }) => ({
    when: sql`${NEW.record_count} > ${OLD.record_count}`,
    do: raise(
      "plan_records_cap",
      sql`FROM ${plans} WHERE name = ${NEW.plan} AND ${NEW.record_count} > records_cap`,
    ),
  })),
  after(organizations, ["storage_bytes"], "storage_cap", ({ NEW, OLD }) => ({
    when: sql`${NEW.storage_bytes} > ${OLD.storage_bytes}`,
    do: raise(
      "plan_storage_cap",
      sql`FROM ${plans}
        WHERE name = ${NEW.plan} AND ${NEW.storage_bytes} > storage_mb * ${limits.bytesPerMegabyte}`,
    ),
  })),
];
