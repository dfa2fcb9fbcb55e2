import { sql } from "drizzle-orm";
import { plainText, type Statement, view } from "../trigger.ts";

/** What a row that is written into this view does: it ends the whole transaction, and its error holds the answer. */
export const dryRunTriggers: readonly Statement[] = [
  view("dry_runs", sql`SELECT NULL AS answer`),
  {
    kind: "TRIGGER",
    name: "dry_runs_keep_nothing",
    text: plainText(sql`CREATE TRIGGER dry_runs_keep_nothing INSTEAD OF INSERT ON dry_runs
      BEGIN SELECT RAISE(ABORT, 'dry_run ' || coalesce(NEW.answer, 'null')); END`),
  },
];
