import { getTableColumns } from "drizzle-orm";
import type { TimeEntry } from "../../contract/resources/time-entry.ts";
import type { Row } from "../../db/query.ts";
import { timeEntries } from "../../db/schema/work.ts";
import { pageOf, recordOf } from "../../db/select.ts";
import { fromMinorOrNull } from "../money.ts";
import { recalled } from "../recall.ts";

const { organization_id: _, request_fingerprint: __, ...columns } = getTableColumns(timeEntries);

export const toTimeEntry = (row: Row): TimeEntry => ({
  id: row.id,
  project_id: row.project_id,
  client_id: row.client_id,
  user_id: row.user_id,
  description: row.description,
  spent_date: row.spent_date,
  hours: row.hours,
  started_at: row.started_at,
  ended_at: row.ended_at,
  billable: row.billable === 1,
  hourly_rate: fromMinorOrNull(row.hourly_rate_minor, row.currency),
  currency: row.currency,
  invoice_id: row.invoice_id,
  client_ref: row.client_ref,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

export const pageOfTimeEntries = pageOf(timeEntries, columns, toTimeEntry);
export const findTimeEntry = recordOf(timeEntries, columns, toTimeEntry);

/** The entry that carries an Idempotency-Key; kept for ever (CONTRACT 4). */
export const recallTimeEntry = (organizationId: string, key: string) =>
  recalled(
    "SELECT * FROM time_entries WHERE organization_id = ? AND client_ref = ?",
    [organizationId, key],
    toTimeEntry,
  );
