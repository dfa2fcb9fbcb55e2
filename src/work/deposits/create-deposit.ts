import { Refusal } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { changeEntries } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { build, statement } from "../../db/build.ts";
import { required, runLast } from "../../db/query.ts";
import { amountOfProject } from "../projects/amount-of-project.ts";
import { findDeposit } from "./find-deposit.ts";
import type { Deposit } from "./record.ts";
import { deposits } from "./tables.ts";

/** Requests a deposit in the project's currency. The project can kick off only after the deposit clears. */
export async function createDeposit(
  context: Context<Staff, "db">,
  { project, amount }: { project: string; amount: number },
): Promise<Deposit | Refusal> {
  const organization_id = context.organization.id;
  const price = await amountOfProject(context, project, amount);
  if (price instanceof Refusal) return price;
  const id = crypto.randomUUID();
  const values = { id, organization_id, project_id: project, ...price, created_by: context.actor.id };
  return runLast(context.services.db, [
    statement(build.insert(deposits).values(values)),
    ...changeEntries(context, "deposit.created", id, { project_id: project }),
    required(findDeposit(organization_id, id)),
  ]);
}
