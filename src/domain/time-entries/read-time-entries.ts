import { isNotNull, isNull } from "drizzle-orm";
import { TimeEntry } from "../../contract/resources/time-entry.ts";
import { resource } from "../../db/resource.ts";
import { timeEntries as table } from "../../db/schema/work.ts";

/** An entry carries the Idempotency-Key that it was made with, for ever (CONTRACT 4). */
export const timeEntryResource = resource(table, TimeEntry, {
  scope: "time:read",
  more: {},
  complete: (entry) => entry,
  keyColumn: table.client_ref,
  conditions: { invoiced: { true: isNotNull(table.invoice_id), false: isNull(table.invoice_id) } },
});
