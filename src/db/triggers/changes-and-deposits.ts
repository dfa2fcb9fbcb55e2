import { type SQL, sql } from "drizzle-orm";
import { notErasing } from "../erasing.ts";
import { frozen, statusMoves } from "../guards.ts";
import { now } from "../schema/columns.ts";
import { changeDecisions, changeOrders, deposits } from "../schema/review.ts";
import { projects } from "../schema/work.ts";
import { after, before, type RowNamed, raise, type Statement } from "../trigger.ts";

/** Change orders, change decisions and deposits. */
export const changeTriggers: readonly Statement[] = [
  before(changeOrders, "INSERT", "start", ({ NEW }) => ({
    when: sql`${NEW.status} NOT IN ('draft', 'sent')`,
    do: raise("change_order_starts_draft_or_sent"),
  })),
  statusMoves(
    changeOrders,
    ["draft sent", "sent signed", "sent declined"],
    "change_order_status_out_of_order",
  ),
  frozen(
    changeOrders,
    ["project_id", "title", "amount_minor", "currency"],
    ({ status }) => sql`${status} <> 'draft'`,
    "change_order_frozen",
  ),
  before(changeOrders, "DELETE", "kept", ({ OLD }) => ({
    when: sql`${OLD.status} <> 'draft' AND ${notErasing(OLD)}`,
    do: raise("change_order_frozen"),
  })),
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
  statusMoves(deposits, ["pending cleared"], "deposit_status_out_of_order"),
  frozen(
    deposits,
    ["project_id", "amount_minor", "currency"],
    ({ status }) => sql`${status} <> 'pending'`,
    "deposit_frozen",
  ),
  before(deposits, "DELETE", "kept", ({ OLD }) => ({
    when: sql`${OLD.status} <> 'pending' AND ${notErasing(OLD)}`,
    do: raise("deposit_frozen"),
  })),
  // Some are written as cleared at once.
  after(deposits, ["status"], "start_project", ({ NEW, OLD }) => ({
    when: sql`${OLD.status} = 'pending' AND ${NEW.status} = 'cleared'`,
    do: startProject(NEW),
  })),
  after(deposits, "INSERT", "start_project_at_once", ({ NEW }) => ({
    when: sql`${NEW.status} = 'cleared'`,
    do: startProject(NEW),
  })),
];

/** A cleared deposit lets its project start. */
function startProject(deposit: RowNamed<typeof deposits>): SQL[] {
  return [
    sql`UPDATE ${deposits} SET cleared_at = coalesce(cleared_at, ${now}) WHERE id = ${deposit.id}`,
    sql`UPDATE ${projects} SET kickoff_released_at = ${now}
      WHERE id = ${deposit.project_id} AND kickoff_released_at IS NULL`,
  ];
}
