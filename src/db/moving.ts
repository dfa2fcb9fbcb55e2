import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { MoveState } from "../contract/move.ts";
import { build, changesRow } from "./build.ts";
import { flag, now } from "./columns.ts";
import { run } from "./query.ts";

/** Workspaces that are moving to another cell, and copies of workspaces that are moving to this one. */
export const moves = sqliteTable("moves", {
  id: text().primaryKey(),
  side: text().$type<"from" | "to">().notNull(),
  cell: text().notNull(),
  state: text().$type<MoveState>().notNull().default("copying"),
  /** When the state began. */
  since: text().notNull().default(now),
  /** The current mover, and when it was last seen. */
  mover: text().notNull(),
  seen_at: text().notNull().default(now),
  /** Whether triggers record changes. */
  notes: flag().notNull(),
  /** A copy's CopyPosition, as JSON. */
  position: text(),
  /** Who began the move, for the audit log. */
  actor: text().notNull(),
  operator: text().notNull(),
});

/** Rows of a moving workspace that have changed since the move began. */
export const moveChanges = sqliteTable(
  "move_changes",
  {
    move: text().notNull(),
    name: text().notNull(),
    /** The values that identify the row (JSON). */
    key: text().notNull(),
    gone: flag().notNull(),
    /** Counts changes, so that a row that changes while it is copied is copied again. */
    changes: integer().notNull().default(1),
  },
  (table) => [primaryKey({ columns: [table.move, table.name, table.key] })],
);

/**
 * False while a workspace is quiet, shortly before it is fenced. New e-mails and deliveries stop, so that those in
 * progress can still be recorded.
 */
export const notQuiet = (organizationId: SQLWrapper): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${moves} WHERE id = ${organizationId} AND state = 'quiet')`;

/** Whether a workspace is moving from or to this cell. During a move, it cannot be erased or imported. */
export const isMoving = (db: D1Database, id: string): Promise<boolean> =>
  run(db, changesRow(build.select({ id: moves.id }).from(moves).where(eq(moves.id, id))));
