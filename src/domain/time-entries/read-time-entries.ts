import { isNotNull, isNull } from "drizzle-orm";
import { TimeEntry } from "../../contract/resources/time-entry.ts";
import { resource } from "../../db/resource.ts";
import { timeEntries as table } from "../../db/schema/work.ts";

export const timeEntryResource = resource(table, TimeEntry, {
  scope: "time:read",
  more: {},
  complete: (entry) => entry,
  // Most entries of most pages: an index of them would cost every create a row.
  withoutIndex: ["invoiced=false"],
  conditions: { invoiced: { true: isNotNull(table.invoice_id), false: isNull(table.invoice_id) } },
});
