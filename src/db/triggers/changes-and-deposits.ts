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
    do: raise("a change order starts as draft or sent"),
  })),
  statusMoves(
    changeOrders,
    ["draft sent", "sent signed", "sent declined"],
    "a change order goes from draft to sent, and from sent to signed or declined",
  ),
  frozen(
    changeOrders,
    ["project_id", "title", "amount_minor", "currency"],
    ({ status }) => sql`${status} <> 'draft'`,
    "a change order is frozen once it is sent",
  ),
  before(changeOrders, "DELETE", "kept", ({ OLD }) => ({
    when: sql`${OLD.status} <> 'draft' AND ${notErasing(OLD)}`,
    do: raise("only a draft change order can be deleted"),
  })),
  statusMoves(changeDecisions, ["draft sent"], "a change decision goes from draft to sent"),
  frozen(
    changeDecisions,
    ["project_id", "title", "kind"],
    ({ status }) => sql`${status} <> 'draft'`,
    "a change decision is frozen once it is sent",
  ),
  before(changeDecisions, "DELETE", "kept", ({ OLD }) => ({
    when: sql`${OLD.status} <> 'draft' AND ${notErasing(OLD)}`,
    do: raise("only a draft change decision can be deleted"),
  })),
  statusMoves(deposits, ["pending cleared"], "a deposit goes from pending to cleared"),
  frozen(
    deposits,
    ["project_id", "amount_minor", "currency"],
    ({ status }) => sql`${status} <> 'pending'`,
    "a deposit is frozen once it has cleared",
  ),
  before(deposits, "DELETE", "kept", ({ OLD }) => ({
    when: sql`${OLD.status} <> 'pending' AND ${notErasing(OLD)}`,
    do: raise("only a pending deposit can be deleted"),
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
