import { sql } from "drizzle-orm";
import { plainText, type Statement, view } from "../trigger.ts";

/**
 * What is written into this view ends the whole transaction, and the error holds the answer: JSON, in which no line
 * ends, and the end of a line.
 */
export const dryRunTriggers: readonly Statement[] = [
  view("dry_runs", sql`SELECT NULL AS answer`),
  {
    kind: "TRIGGER",
    name: "dry_runs_keep_nothing",
    text: plainText(sql`CREATE TRIGGER dry_runs_keep_nothing INSTEAD OF INSERT ON dry_runs
      BEGIN SELECT RAISE(ABORT, 'dry_run ' || coalesce(NEW.answer, 'null') || char(10)); END`),
  },
];
