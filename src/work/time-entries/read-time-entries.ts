import { gte, isNotNull, isNull, lte } from "drizzle-orm";
import { resource } from "../../core/resource.ts";
import { TimeEntry } from "./record.ts";
import { timeEntries as table } from "./tables.ts";

export const timeEntryResource = resource(table, TimeEntry, {
  scope: "time:read",
  more: {},
  complete: (entry) => entry,
  // Most entries on most pages are not invoiced, so an index would save little and cost each create one more row.
  withoutIndex: ["invoiced=false"],
  conditions: { invoiced: { true: isNotNull(table.invoice_id), false: isNull(table.invoice_id) } },
  bounds: { from: { column: table.spent_date, by: gte }, to: { column: table.spent_date, by: lte } },
});
