import { gte, isNotNull, isNull, lte } from "drizzle-orm";
import { resource } from "../../core/resource.ts";
import { TimeEntry } from "./record.ts";
import { timeEntries as table } from "./tables.ts";

export const timeEntryResource = resource(table, TimeEntry, {
  scope: "time:read",
  more: {},
  complete: (entry) => entry,
  // True for most entries of most pages: an index of them would cost every create a row.
  withoutIndex: ["invoiced=false"],
  conditions: { invoiced: { true: isNotNull(table.invoice_id), false: isNull(table.invoice_id) } },
  bounds: { from: { column: table.spent_date, by: gte }, to: { column: table.spent_date, by: lte } },
});
