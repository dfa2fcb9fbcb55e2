import { Unavailable } from "../platform/unavailable.ts";
import { migrations } from "./migrations.ts";

/** The database is older than this code: it lacks a migration or part of one. `cause` has the details. */
export class OutdatedSchema extends Unavailable {
  /** Null if all migrations are recorded. */
  readonly migration: string | null;

  constructor(why: string, migration: string | null) {
    // The log shows the cause's message, without a stack.
    super("lasting", new Error(why));
    this.migration = migration;
  }
}

/** The first migration that the database lacks, as the column `name`. Returns no row if all were applied. */
export const missingMigration = {
  sql: `SELECT value AS name FROM json_each(?) WHERE value NOT IN (SELECT name FROM d1_migrations)
    ORDER BY value LIMIT 1`,
  params: [JSON.stringify(migrations)],
};

/** Whether SQLite reports a missing table, column or index. */
export const isSchemaError = (error: unknown): boolean =>
  /no such (table|column|index)|has no column named/.test(String(error));

/** Whether the migrations table is missing, which means that no migration was applied. */
export const lacksMigrationsTable = (error: unknown): boolean =>
  String(error).includes("no such table: d1_migrations");

export const missingMigrationError = (missing: string): OutdatedSchema =>
  new OutdatedSchema(`the database lacks the migration ${missing}`, missing);

/**
 * Creates the error for a database that has recorded every migration, but where one was only partly applied or
 * something was dropped.
 */
export const damagedSchemaError = (error: unknown): OutdatedSchema =>
  new OutdatedSchema(`${String(error)}; no migration is missing: run npm run migration:check`, null);
