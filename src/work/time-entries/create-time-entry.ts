import { and, eq } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { toMinor, wrongAmount } from "../../contract/money.ts";
import { invalid, type Refusal, refuse } from "../../contract/refusal.ts";
import type { Context } from "../../core/context.ts";
import { build, type Placeholders, prepared, row } from "../../db/build.ts";
import type { Query } from "../../db/query.ts";
import { organizationOf } from "../../workspace/tokens/organization-of.ts";
import type { TokenActor } from "../../workspace/tokens/principal.ts";
import { projects } from "../projects/tables.ts";
import { timeEntryResource } from "./read-time-entries.ts";
import type { NewTimeEntry, TimeEntry } from "./record.ts";

const ofProject = { client_id: projects.client_id, currency: projects.currency };

/** The values that a time entry copies from its project. */
interface ProjectOfEntry {
  client_id: string;
  currency: string;
}

/** Finds a project in the token's organization. */
export const projectOfEntry = prepared(
  (bind: Placeholders<{ tokenHash: string; projectId: string }>): Query<ProjectOfEntry | null> => {
    const where = and(
      eq(projects.id, bind.projectId),
      eq(projects.organization_id, organizationOf(bind.tokenHash, "time:write")),
    );
    return row(ofProject, build.select(ofProject).from(projects).where(where));
  },
);

/** A hundredth of an hour. Dividing by this integer keeps halves exact, so they round correctly. */
const hundredthMs = 36_000;

/**
 * Returns an entry's hours and day, as given or computed from its start and end. Hours are rounded to two decimals, but
 * never to 0.
 */
function timeSpent({ hours, spent_date, started_at, ended_at }: NewTimeEntry) {
  if (hours !== undefined) return { hours, spent_date: spent_date ?? "" };
  const lastedMs = Date.parse(ended_at ?? "") - Date.parse(started_at?.at ?? "");
  return {
    hours: Math.max(Math.round(lastedMs / hundredthMs) / 100, limits.entryHours.min),
    spent_date: spent_date ?? started_at?.day ?? "",
    started_at: started_at?.at,
  };
}

/** Returns the query that creates a time entry, or a 400 for an unknown project or a rate with too many decimals. */
export function createTimeEntry(
  { organization, actor }: Context<TokenActor, never>,
  id: string,
  { hourly_rate, ...entry }: NewTimeEntry,
  project: ProjectOfEntry | null,
  key: string,
): Refusal | Query<TimeEntry> {
  if (!project) return invalid("project_id not found in this workspace");
  const rate = hourly_rate === undefined ? null : toMinor(hourly_rate, project.currency);
  if (hourly_rate !== undefined && rate === null) {
    return invalid(wrongAmount("hourly_rate", hourly_rate, project.currency));
  }
  const { started_at: _, ...given } = entry;
  return timeEntryResource.insert({
    ...given,
    ...timeSpent(entry),
    ...project,
    id,
    organization_id: organization.id,
    user_id: actor.id,
    hourly_rate_minor: rate,
    client_ref: key,
  });
}

/** Refuses a key whose entry was created outside the API. The ledger has no request to replay for it. */
export function keyOfAnother(error: unknown): Refusal {
  if (String(error).includes("time_entries.client_ref")) return refuse("idempotency_key_reused");
  throw error;
}
