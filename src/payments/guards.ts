import { sql } from "drizzle-orm";
import type { RowNamed, Statement } from "../db/trigger.ts";
import { before, raise } from "../db/trigger.ts";
import { processorEvents } from "./tables.ts";

function reasonOf(event: RowNamed<typeof processorEvents>) {
  return {
    when: sql`(${event.outcome} = 'unmatched') <> (${event.unmatched_reason} IS NOT NULL)`,
    do: raise("reason_only_if_unmatched"),
  };
}

export const paymentsTriggers: readonly Statement[] = [
  before(processorEvents, "INSERT", "reason", ({ NEW }) => reasonOf(NEW)),
  before(processorEvents, ["outcome", "unmatched_reason"], "reason_moves", ({ NEW }) => reasonOf(NEW)),
];
