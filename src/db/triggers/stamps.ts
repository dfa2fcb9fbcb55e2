import { sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { now } from "../schema/columns.ts";
import { deliverables, feedback } from "../schema/review.ts";
import { invoiceLineItems, invoices, milestones, projects } from "../schema/work.ts";
import { after, type ColumnOf, type RowNamed, type Statement } from "../trigger.ts";

/**
 * What a project, an invoice or a deliverable shows of its children moves it too. (Payments, revision rounds, sends,
 * sign-offs and later versions update their parent itself.)
 */
export const stampTriggers: readonly Statement[] = [
  ...partOf(milestones, projects, "project_id", {
    parent: "project",
    shown: ["project_id", "name", "position", "status", "due_date", "amount_minor"],
  }),
  ...partOf(invoiceLineItems, invoices, "invoice_id", {
    parent: "invoice",
    shown: ["position", "description", "quantity", "unit_price_minor", "tax_rate", "amount_minor"],
  }),
  after(feedback, "INSERT", "added_to_deliverable", ({ NEW }) => ({
    do: sql`UPDATE ${deliverables} SET updated_at = ${now} WHERE id = ${NEW.deliverable_id} AND updated_at < ${now}`,
  })),
];

/** Children written together with their parent carry its created_at, and leave it as never changed. */
function partOf<T extends SQLiteTable>(
  child: T,
  parent: SQLiteTable,
  key: ColumnOf<T>,
  names: { parent: string; shown: readonly ColumnOf<T>[] },
): Statement[] {
  const stamp = (...rows: readonly RowNamed<T>[]) =>
    sql`UPDATE ${parent} SET updated_at = ${now} WHERE id IN ${rows.map((row) => row[key])} AND updated_at < ${now}`;
  return [
    after(child, "INSERT", `added_to_${names.parent}`, ({ NEW }) => ({
      do: sql`${stamp(NEW)} AND created_at <> NEW.created_at`,
    })),
    after(child, names.shown, `changed_in_${names.parent}`, ({ NEW, OLD }) => ({ do: stamp(OLD, NEW) })),
    after(child, "DELETE", `removed_from_${names.parent}`, ({ OLD }) => ({ do: stamp(OLD) })),
  ];
}
