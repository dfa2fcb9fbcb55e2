import { and, asc, eq } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { flagConditions } from "../../core/pages.ts";
import { resource } from "../../core/resource.ts";
import { build, type Placeholders, prepared, rowsOf } from "../../db/build.ts";
import { organizationOf } from "../../workspace/tokens/organization-of.ts";
import { Client } from "./record.ts";
import { clients as table } from "./tables.ts";

export const clientResource = resource(table, Client, {
  scope: "client:read",
  more: {},
  complete: (client) => client,
  conditions: { is_sample: flagConditions(table.is_sample) },
  withoutIndex: ["is_sample=false"],
});

/** Lists active clients in the legacy list's order: by client_name, ignoring case and accents (contract G1). */
export const activeClientsByName = prepared((bind: Placeholders<{ tokenHash: string }>) =>
  rowsOf(
    build
      .select({ id: table.id, name: table.name })
      .from(table)
      .where(
        and(
          eq(table.organization_id, organizationOf(bind.tokenHash, "client:read")),
          eq(table.status, "active"),
        ),
      )
      .orderBy(asc(table.sort_name), asc(table.id))
      .limit(limits.legacyClientListRecords),
  ),
);
