import { and, eq, sql } from "drizzle-orm";
import type { SurvivingFacts } from "../../contract/surviving-facts.ts";
import { build, rowsOf, statement } from "../../db/build.ts";
import { isComplete } from "../../db/fencing.ts";
import { run } from "../../db/query.ts";
import { report } from "../../platform/log.ts";
import type { Services } from "../services.ts";
import { unsentFacts as table } from "./tables.ts";

/** Facts sent per cron run. An organization has one for each changed token, and one for its next invoice number. */
const factsAtOnce = 500;

const { organization_id, subject_id, value } = table;

/**
 * Sends unsent facts to the coordinators, for one organization or for all. The search starts at a random organization,
 * so that the same ones do not always come first. A fact that a coordinator has stored is deleted, unless it has
 * changed in the meantime. Facts about a workspace whose copy here is incomplete are not sent, because they may be out
 * of date.
 */
export async function sendSurvivingFacts(
  { db, coordinators }: Pick<Services, "db" | "coordinators">,
  organizationId?: string,
): Promise<void> {
  const start = crypto.randomUUID();
  const some = build
    .select({ organization_id, subject_id, value })
    .from(table)
    .where(
      and(
        isComplete(organization_id),
        organizationId === undefined ? undefined : eq(organization_id, organizationId),
      ),
    )
    .orderBy(sql`${organization_id} < ${start}`, organization_id)
    .limit(factsAtOnce);
  const unsent = await run(db, rowsOf(some));
  const taken: (readonly string[])[] = [];
  for (const [id, facts] of Map.groupBy(unsent, (fact) => fact.organization_id)) {
    try {
      await coordinators.getByName(id).keepFacts(factsOf(facts));
      taken.push(...facts.map((fact) => [fact.organization_id, fact.subject_id, fact.value]));
    } catch (error) {
      report({ failed: "keep facts", organization_id: id }, error);
    }
  }
  if (taken.length === 0) return;
  const isTaken = sql`(${organization_id}, ${subject_id}, ${value}) IN (
    SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${JSON.stringify(taken)}))`;
  await run(db, statement(build.delete(table).where(isTaken)));
}

const factsOf = (facts: readonly { subject_id: string; value: string }[]): SurvivingFacts => {
  const number = facts.find((fact) => fact.subject_id === "")?.value;
  const ends = facts.filter((fact) => fact.subject_id !== "");
  return {
    tokenEnds: Object.fromEntries(ends.map((fact) => [fact.subject_id, fact.value])),
    invoiceNumber: number === undefined ? null : Number(number),
  };
};
