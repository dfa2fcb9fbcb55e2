import { eq, sql } from "drizzle-orm";
import type { KeptFacts } from "../../contract/kept-facts.ts";
import { build, rowsOf, statement } from "../../db/build.ts";
import { run } from "../../db/query.ts";
import { report } from "../../platform/log.ts";
import type { Services } from "../services.ts";
import { untoldFacts as table } from "./tables.ts";

/** Of one minute; an organization has as many as it changed tokens, and one for its invoices. */
const factsAtOnce = 500;

const { organization_id, subject_id, value } = table;

/**
 * Tells the coordinators what they are to keep: of one organization, or of all, beginning anywhere, so that none comes
 * first in every minute. What a coordinator was told is deleted, unless it changed meanwhile.
 */
export async function tellCoordinators(
  { db, coordinators }: Pick<Services, "db" | "coordinators">,
  organizationId?: string,
): Promise<void> {
  const start = crypto.randomUUID();
  const some = build
    .select({ organization_id, subject_id, value })
    .from(table)
    .where(organizationId === undefined ? undefined : eq(organization_id, organizationId))
    .orderBy(sql`${organization_id} < ${start}`, organization_id)
    .limit(factsAtOnce);
  const untold = await run(db, rowsOf(some));
  const told: (readonly string[])[] = [];
  for (const [id, facts] of Map.groupBy(untold, (fact) => fact.organization_id)) {
    try {
      await coordinators.getByName(id).keepFacts(factsOf(facts));
      told.push(...facts.map((fact) => [fact.organization_id, fact.subject_id, fact.value]));
    } catch (error) {
      report({ failed: "keep facts", organization_id: id }, error);
    }
  }
  if (told.length === 0) return;
  const isTold = sql`(${organization_id}, ${subject_id}, ${value}) IN (
    SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${JSON.stringify(told)}))`;
  await run(db, statement(build.delete(table).where(isTold)));
}

const factsOf = (facts: readonly { subject_id: string; value: string }[]): KeptFacts => {
  const number = facts.find((fact) => fact.subject_id === "")?.value;
  const ends = facts.filter((fact) => fact.subject_id !== "");
  return {
    tokenEnds: Object.fromEntries(ends.map((fact) => [fact.subject_id, fact.value])),
    invoiceNumber: number === undefined ? null : Number(number),
  };
};
