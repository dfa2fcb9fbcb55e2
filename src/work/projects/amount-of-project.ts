import { toMinor, wrongAmount } from "../../contract/money.ts";
import { invalid, noSuch, type Refusal } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import type { Context } from "../../core/context.ts";
import { build, rowOf } from "../../db/build.ts";
import { run } from "../../db/query.ts";
import { owned } from "../../db/records.ts";
import { projects } from "./tables.ts";

/** Converts a decimal amount to minor units in the project's currency. Refuses an amount with too many decimals. */
export async function amountOfProject(
  { organization, services }: Context<Staff, "db">,
  projectId: string,
  amount: number,
): Promise<{ amount_minor: number; currency: string } | Refusal> {
  const project = await run(
    services.db,
    rowOf(
      build
        .select({ currency: projects.currency })
        .from(projects)
        .where(owned(projects, organization.id, projectId)),
    ),
  );
  if (!project) return noSuch("project", projectId);
  const { currency } = project;
  const amount_minor = toMinor(amount, currency);
  return amount_minor === null
    ? invalid(wrongAmount("amount", amount, currency))
    : { amount_minor, currency };
}
