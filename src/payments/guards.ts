import { sql } from "drizzle-orm";
import { before, type RowNamed, raise, type Statement } from "../db/trigger.ts";
import { processorEvents } from "./tables.ts";

function reasonOf(event: RowNamed<typeof processorEvents>) {
  return {
    when: sql`(${event.outcome} = 'unmatched') <> (${event.unmatched_reason} IS NOT NULL)`,
    do: raise("reason_only_if_unmatched"),
  };
}

export const paymentsGuards: readonly Statement[] = [
  before(processorEvents, "INSERT", "reason", ({ NEW }) => reasonOf(NEW)),
  before(processorEvents, ["outcome", "unmatched_reason"], "reason_moves", ({ NEW }) => reasonOf(NEW)),
];
