import { sql } from "drizzle-orm";
import { notErasing } from "../../db/erasing.ts";
import { frozen, statusMoves } from "../../db/guards.ts";
import { before, raise, type Statement } from "../../db/trigger.ts";
import { changeDecisions } from "./tables.ts";

export const changeDecisionsGuards: readonly Statement[] = [
  statusMoves(changeDecisions, ["draft sent"], "change_decision_status_out_of_order"),
  frozen(
    changeDecisions,
    ["project_id", "title", "kind"],
    ({ status }) => sql`${status} <> 'draft'`,
    "change_decision_frozen",
  ),
  before(changeDecisions, "DELETE", "kept", ({ OLD }) => ({
    when: sql`${OLD.status} <> 'draft' AND ${notErasing(OLD)}`,
    do: raise("change_decision_frozen"),
  })),
];
