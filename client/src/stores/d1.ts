import type { EventStore } from "../follow.ts";
import type { RecordStore } from "../sync.ts";

/** The subset of D1's API that the store uses. */
export interface D1Like<Statement> {
  prepare(sql: string): { bind(...values: string[]): Statement };
  batch(statements: Statement[]): Promise<unknown>;
}

interface Reading {
  first<T>(): Promise<T | null>;
}

/** Longer than the service keeps events, so no older event is sent again. */
const keptDays = 31;

/** The store's tables, for one of your migrations. */
export const d1StoreTables =
  "CREATE TABLE partner_api_cursors (name TEXT PRIMARY KEY, cursor TEXT NOT NULL) STRICT;\n" +
  "CREATE TABLE partner_api_handled (name TEXT NOT NULL, event_id TEXT NOT NULL," +
  " handled_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, PRIMARY KEY (name, event_id)) STRICT;\n";

/**
 * Stores the position in D1. `handle` pushes statements, which are written in one batch with the event's id. If two
 * followers handle the same event, only one's statements are written.
 */
export function d1Store<Statement extends Reading>(
  database: D1Like<Statement>,
  name = "events",
): EventStore<Statement[]> & RecordStore<Statement[]> {
  const statement = (sql: string, ...values: string[]) => database.prepare(sql).bind(...values);
  const keepCursor = (cursor: string) =>
    statement(
      "INSERT INTO partner_api_cursors VALUES (?, ?) ON CONFLICT DO UPDATE SET cursor = excluded.cursor",
      name,
      cursor,
    );
  const isHandled = async (eventId: string) =>
    (await statement(
      "SELECT 1 FROM partner_api_handled WHERE name = ? AND event_id = ?",
      name,
      eventId,
    ).first()) !== null;
  return {
    cursor: async () => {
      const row = await statement("SELECT cursor FROM partner_api_cursors WHERE name = ?", name).first<{
        cursor: string;
      }>();
      return row?.cursor ?? null;
    },
    once: async (eventId, work) => {
      if (await isHandled(eventId)) return;
      const statements: Statement[] = [];
      await work(statements);
      const keep = statement("INSERT INTO partner_api_handled (name, event_id) VALUES (?, ?)", name, eventId);
      try {
        await database.batch([keep, ...statements]);
      } catch (error) {
        if (!(await isHandled(eventId))) throw error;
      }
    },
    advance: async (cursor) => {
      await database.batch([
        keepCursor(cursor),
        statement(
          "DELETE FROM partner_api_handled WHERE name = ? AND handled_at < datetime('now', ?)",
          name,
          `-${keptDays} days`,
        ),
      ]);
    },
    keep: async (cursor, work) => {
      const statements: Statement[] = [];
      await work(statements);
      await database.batch([...statements, keepCursor(cursor)]);
    },
  };
}
