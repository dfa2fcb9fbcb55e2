import { sql } from "drizzle-orm";
import { plainText, type Statement, view } from "../trigger.ts";

/** What is written into this view ends the whole transaction, and becomes the text of its error (db/dry-run.ts). */
export const dryRunTriggers: readonly Statement[] = [
  view("dry_runs", sql`SELECT NULL AS told`),
  {
    kind: "TRIGGER",
    name: "dry_runs_keep_nothing",
    text: plainText(sql`CREATE TRIGGER dry_runs_keep_nothing INSTEAD OF INSERT ON dry_runs
      BEGIN SELECT RAISE(ABORT, NEW.told); END`),
  },
];
