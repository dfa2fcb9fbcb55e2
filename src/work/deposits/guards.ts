import { type SQL, sql } from "drizzle-orm";
import { now } from "../../db/columns.ts";
import { notErasing } from "../../db/erasing.ts";
import { frozen, statusMoves } from "../../db/guards.ts";
import { after, before, type RowNamed, raise, type Statement } from "../../db/trigger.ts";
import { projects } from "../projects/tables.ts";
import { deposits } from "./tables.ts";

/** Releases the project's kickoff when its deposit clears. */
function startProject(deposit: RowNamed<typeof deposits>): SQL[] {
  return [
    sql`UPDATE ${deposits} SET cleared_at = coalesce(cleared_at, ${now}) WHERE id = ${deposit.id}`,
    sql`UPDATE ${projects} SET kickoff_released_at = ${now}
      WHERE id = ${deposit.project_id} AND kickoff_released_at IS NULL`,
  ];
}

export const depositsGuards: readonly Statement[] = [
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
  // Some are inserted with the status `cleared`.
  after(deposits, ["status"], "start_project", ({ NEW, OLD }) => ({
    when: sql`${OLD.status} = 'pending' AND ${NEW.status} = 'cleared'`,
    do: startProject(NEW),
  })),
  after(deposits, "INSERT", "start_project_at_once", ({ NEW }) => ({
    when: sql`${NEW.status} = 'cleared'`,
    do: startProject(NEW),
  })),
];
