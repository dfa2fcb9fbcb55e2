import { invalid, type Refusal } from "../../contract/failures.ts";
import type { NewTimeEntry, TimeEntry } from "../../contract/resources/time-entry.ts";
import { organizationOfTokenSql } from "../../db/organization.ts";
import type { Query } from "../../db/query.ts";
import type { Authorship } from "../authorship.ts";
import { toMinor } from "../money.ts";
import { toTimeEntry } from "./read-time-entries.ts";

/** What a time entry takes from its project. */
export interface ProjectOfEntry {
  client_id: string;
  currency: string;
}

export const projectOfEntry = (tokenHash: string, projectId: string): Query<ProjectOfEntry | null> => ({
  sql: `SELECT client_id, currency FROM projects WHERE id = ? AND organization_id = ${organizationOfTokenSql}`,
  params: [projectId, tokenHash],
  read: ([row]) => (row as ProjectOfEntry | undefined) ?? null,
});

/** A hundredth of an hour: divided by it, a half is exactly a half. */
const hundredthMs = 36_000;

/** Hours and day of an entry: as given, or from its start and end. Hours are rounded to two decimals. */
function timeSpent(entry: NewTimeEntry): { hours: number; spent_date: string } {
  if (entry.hours !== undefined) return { hours: entry.hours, spent_date: entry.spent_date ?? "" };
  const started = entry.started_at ?? "";
  const lastedMs = Date.parse(entry.ended_at ?? "") - Date.parse(started);
  return {
    hours: Math.round(lastedMs / hundredthMs) / 100,
    spent_date: entry.spent_date ?? started.slice(0, 10),
  };
}

const insertSql = `
INSERT INTO time_entries (id, organization_id, project_id, client_id, user_id, description, spent_date, hours, started_at,
  ended_at, billable, hourly_rate_minor, currency, client_ref, request_fingerprint)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`;

/** Writes a time entry; a 400 if its project is unknown or its rate has more digits than the currency. */
export function createTimeEntry(
  { id, organizationId, actorId, fingerprint }: Authorship,
  entry: NewTimeEntry,
  project: ProjectOfEntry | null,
  key: string,
): Refusal | Query<TimeEntry> {
  if (!project) return invalid("project_id not found in this workspace");
  const rate = entry.hourly_rate === undefined ? null : toMinor(entry.hourly_rate, project.currency);
  if (entry.hourly_rate !== undefined && rate === null) {
    return invalid(`hourly_rate has more digits than ${project.currency}`);
  }
  const { hours, spent_date } = timeSpent(entry);
  return {
    sql: insertSql,
    params: [
      id,
      organizationId,
      entry.project_id,
      project.client_id,
      actorId,
      entry.description ?? null,
      spent_date,
      hours,
      entry.started_at ?? null,
      entry.ended_at ?? null,
      entry.billable ? 1 : 0,
      rate,
      project.currency,
      key,
      fingerprint,
    ],
    read: ([row]) => toTimeEntry(row ?? {}),
  };
}
