import { and, sql } from "drizzle-orm";
import * as z from "zod";
import type { CoordinatorRow } from "../contract/coordinator-rows.ts";
import type { LoggedRequest } from "../contract/request-log.ts";
import { events } from "../core/events/tables.ts";
import type { Services } from "../core/services.ts";
import { build, rows, rowsOf } from "../db/build.ts";
import { isIn } from "../db/is-in.ts";
import { run } from "../db/query.ts";

/**
 * A row of the coordinator's data in a full export. A request refers to its events by id, because every database
 * numbers events differently.
 */
type CopiedRow = CoordinatorRow<string[]>;
type Spans = LoggedRequest["events"];

/** Reads the page of data that follows a given row. */
export async function copyCoordinator(
  { db, coordinators }: Pick<Services, "db" | "coordinators">,
  organizationId: string,
  afterId: number,
): Promise<{ lines: string[]; next: number | null }> {
  const kept = await coordinators.getByName(organizationId).keptRows(afterId);
  const entries = kept.rows.flatMap((row) => (row.kind === "requests" ? row.entries : []));
  const idsOf = await findEventIds(db, organizationId, entries);
  const lines = kept.rows.map((row) => JSON.stringify(withEvents<Spans, string[]>(row, idsOf)));
  return { lines, next: kept.next };
}

const withEvents = <E, F>(
  row: CoordinatorRow<E>,
  eventsOf: (entry: { request_id: string; events: E }) => F,
) =>
  row.kind === "requests"
    ? { ...row, entries: row.entries.map((entry) => ({ ...entry, events: eventsOf(entry) })) }
    : row;

/** Finds the ids of the events that requests recorded. */
export async function findEventIds(
  db: D1Database,
  organizationId: string,
  requests: readonly Pick<LoggedRequest, "request_id" | "events">[],
): Promise<(request: { request_id: string }) => string[]> {
  const spans = requests.flatMap(({ request_id, events: made }) =>
    made.map((span) => ({ request_id, ...span })),
  );
  const found = spans.length === 0 ? [] : await run(db, eventsIn(organizationId, spans));
  const ids = Map.groupBy(found, ({ request_id }) => request_id);
  return ({ request_id }) => (ids.get(request_id) ?? []).map(({ id }) => id);
}

/** The cross join makes SQLite look up each span in the index events_in_order. */
function eventsIn(organizationId: string, spans: readonly object[]) {
  const { id, sequence, organization_id } = events;
  const selection = { request_id: sql<string>`request_id`, id };
  return rows(
    selection,
    sql`SELECT span.value ->> 'request_id' AS request_id, ${id} FROM json_each(${JSON.stringify(spans)}) AS span
      CROSS JOIN ${events} WHERE ${organization_id} = ${organizationId}
        AND ${sequence} > span.value ->> 'behind' AND ${sequence} <= span.value ->> 'upTo' ORDER BY ${sequence}`,
  );
}

/** Validates the fields that an import reads and keeps all others unchanged. */
const CopiedLine = z.discriminatedUnion("kind", [
  z.looseObject({
    kind: z.literal("requests"),
    entries: z.array(z.looseObject({ request_id: z.string(), events: z.array(z.string()) })),
  }),
  z.looseObject({ kind: z.literal("usage"), day: z.string() }),
  z.looseObject({ kind: z.literal("last_use"), token_id: z.string() }),
]);

/**
 * Parses the lines, or returns null if any is malformed. The cast is safe: an export wrote these lines and their
 * digests have been checked.
 */
export function parseCoordinatorRows(text: string): CopiedRow[] | null {
  try {
    const lines = text.split("\n").filter((line) => line !== "");
    return z.array(CopiedLine).parse(lines.map((line) => JSON.parse(line))) as object as CopiedRow[];
  } catch {
    return null;
  }
}

/** Passes rows to the organization's coordinator. The first page replaces the existing rows. */
export async function saveCoordinatorRows(
  { db, coordinators }: Pick<Services, "db" | "coordinators">,
  organizationId: string,
  copied: readonly CopiedRow[],
  isFirst: boolean,
): Promise<void> {
  const entries = copied.flatMap((row) => (row.kind === "requests" ? row.entries : []));
  const spansOf = await findEventSpans(db, organizationId, entries);
  const kept = copied.map((row) => withEvents<string[], Spans>(row, spansOf));
  await coordinators.getByName(organizationId).importRows(kept, isFirst);
}

/** Finds the numbers that this database assigned to the requests' events. */
export async function findEventSpans(
  db: D1Database,
  organizationId: string,
  requests: readonly { events: readonly string[] }[],
): Promise<(request: { events: readonly string[] }) => Spans> {
  const ids = requests.flatMap(({ events: made }) => made);
  const found = ids.length === 0 ? [] : await run(db, sequencesOf(organizationId, ids));
  const sequences = new Map(found.map(({ id, sequence }) => [id, sequence]));
  return ({ events: made }) =>
    made.flatMap((id) => {
      const upTo = sequences.get(id);
      return upTo === undefined ? [] : [{ behind: upTo - 1, upTo }];
    });
}

const sequencesOf = (organizationId: string, ids: readonly string[]) =>
  rowsOf(
    build
      .select({ id: events.id, sequence: events.sequence })
      .from(events)
      .where(and(sql`+${events.organization_id} = ${organizationId}`, isIn(events.id, ids))),
  );
