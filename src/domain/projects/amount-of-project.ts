import { type AdminRefusal, deny, noSuch } from "../../contract/admin-refusals.ts";
import { toMinor } from "../../contract/money.ts";
import { type Query, run } from "../../db/query.ts";
import type { AdminContext } from "../audited-change.ts";

const currencyOf = (organizationId: string, projectId: string): Query<string | null> => ({
  sql: "SELECT currency FROM projects WHERE id = ? AND organization_id = ?",
  params: [projectId, organizationId],
  read: ([row]) => row?.currency ?? null,
});

/** A decimal amount as minor units of the project's currency; refused if it has more digits than that. */
export async function amountOfProject(
  { organization, db }: AdminContext,
  projectId: string,
  amount: number,
): Promise<{ minor: number; currency: string } | AdminRefusal> {
  const currency = await run(db, currencyOf(organization.id, projectId));
  if (currency === null) return noSuch("project", projectId);
  const minor = toMinor(amount, currency);
  return minor === null ? deny(`amount has more digits than ${currency}`) : { minor, currency };
}
