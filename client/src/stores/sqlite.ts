import type { EventStore } from "../follow.ts";
import type { RecordStore } from "../sync.ts";

/** The common subset of node:sqlite, better-sqlite3 and bun:sqlite. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): {
    run(...values: string[]): { changes: number | bigint };
    get(...values: string[]): unknown;
  };
}

/** Longer than the service keeps events, so no older event is sent again. */
const keptDays = 31;
const busyTimeoutMs = 10_000;

/**
 * Stores the position in two tables of your database. Use a separate connection, because everything that runs on it
 * during `handle` is part of the same transaction. `name` distinguishes followers in one database.
 */
export function sqliteStore<Database extends SqliteDatabase>(
  database: Database,
  name = "events",
): EventStore<Database> & RecordStore<Database> {
  database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  database.exec(
    "CREATE TABLE IF NOT EXISTS partner_api_cursors (name TEXT PRIMARY KEY, cursor TEXT NOT NULL) STRICT;" +
      "CREATE TABLE IF NOT EXISTS partner_api_handled (name TEXT NOT NULL, event_id TEXT NOT NULL," +
      " handled_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, PRIMARY KEY (name, event_id)) STRICT",
  );
  const inTransaction = async (work: () => unknown) => {
    database.exec("BEGIN IMMEDIATE");
    try {
      await work();
      database.exec("COMMIT");
    } catch (error) {
      try {
        database.exec("ROLLBACK");
      } catch {
        // SQLite or the handler has already rolled the transaction back.
      }
      throw error;
    }
  };
  const keepCursor = (cursor: string) =>
    database
      .prepare(
        "INSERT INTO partner_api_cursors VALUES (?, ?) ON CONFLICT DO UPDATE SET cursor = excluded.cursor",
      )
      .run(name, cursor);
  return {
    cursor: async () => {
      const row = database.prepare("SELECT cursor FROM partner_api_cursors WHERE name = ?").get(name);
      return (row as { cursor: string } | undefined)?.cursor ?? null;
    },
    once: (eventId, work) =>
      inTransaction(async () => {
        const { changes } = database
          .prepare("INSERT OR IGNORE INTO partner_api_handled (name, event_id) VALUES (?, ?)")
          .run(name, eventId);
        if (Number(changes) === 1) await work(database);
      }),
    advance: async (cursor) => {
      keepCursor(cursor);
      database
        .prepare("DELETE FROM partner_api_handled WHERE name = ? AND handled_at < datetime('now', ?)")
        .run(name, `-${keptDays} days`);
    },
    keep: (cursor, work) =>
      inTransaction(async () => {
        await work(database);
        keepCursor(cursor);
      }),
  };
}
