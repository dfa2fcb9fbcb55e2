import { sql } from "drizzle-orm";
import { build, prepared, rowOf } from "../../db/build.ts";
import { withWrites } from "../../db/writing.ts";
import { note, notesUnderWay } from "../../platform/log.ts";
import { events } from "./tables.ts";

const newestEvent = prepared(() => {
  const newest = sql<number | null>`max(${events.sequence})`.as("newest");
  return rowOf(build.select({ newest }).from(events));
});

/**
 * Wraps the database so that the request's log entry records which events its transactions write. A transaction's
 * events are those after the newest event at its start, up to the newest at its end.
 */
export const tracingEvents = (db: D1Database): D1Database =>
  withWrites(db, async (statements) => {
    const newest = newestEvent({});
    const readNewest = () => db.prepare(newest.sql).bind(...newest.params);
    const results = await db.batch<Record<string, unknown>>([readNewest(), ...statements, readNewest()]);
    const [behind = 0, upTo = 0] = [results.at(0), results.at(-1)].map(
      (found) => newest.read(found?.results ?? [])?.newest ?? 0,
    );
    if (upTo > behind) note({ events: [...(notesUnderWay()?.events ?? []), { behind, upTo }] });
    return results.slice(1, -1);
  });
