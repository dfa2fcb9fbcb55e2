import { and, eq, sql } from "drizzle-orm";
import { toMinor, wrongAmount } from "../../contract/money.ts";
import { invalid, type Refusal } from "../../contract/refusal.ts";
import type { Context } from "../../core/context.ts";
import {
  build,
  inserting,
  insertSelect,
  type Placeholders,
  prepared,
  row,
  statement,
} from "../../db/build.ts";
import { mapped, type Query } from "../../db/query.ts";
import { organizationOf } from "../../workspace/tokens/organization-of.ts";
import type { TokenActor } from "../../workspace/tokens/principal.ts";
import { clients } from "../clients/tables.ts";
import type { NewProject } from "./record.ts";
import { milestones, projects as table } from "./tables.ts";

/** Whether the client belongs to the token's workspace. */
export const clientIsKnown = prepared((bind: Placeholders<{ tokenHash: string; clientId: string }>) => {
  const known = { id: clients.id };
  const where = and(
    eq(clients.id, bind.clientId),
    eq(clients.organization_id, organizationOf(bind.tokenHash, "project:write")),
  );
  return mapped(row(known, build.select(known).from(clients).where(where)), (found) => found !== null);
});

const insertProject = inserting(table);

/**
 * Raw SQL with one parameter, because a hundred rows have more values than D1 can bind. Milestones get the project's
 * timestamps.
 */
const insertMilestones = prepared(
  (bind: Placeholders<{ organizationId: string; projectId: string; made: string }>) =>
    statement(
      insertSelect(
        milestones,
        {
          id: sql`made.value ->> 'id'`,
          organization_id: sql`${table.organization_id}`,
          project_id: sql`${table.id}`,
          name: sql`made.value ->> 'name'`,
          position: sql`made.value ->> 'position'`,
          due_date: sql`made.value ->> 'due_date'`,
          amount_minor: sql`made.value ->> 'amount_minor'`,
          created_at: sql`${table.created_at}`,
          updated_at: sql`${table.created_at}`,
        },
        sql`FROM ${table}, json_each(${bind.made}) AS made
        WHERE ${and(eq(table.id, bind.projectId), eq(table.organization_id, bind.organizationId))}`,
      ),
    ),
);

/** Returns the queries that create a project and its milestones, or a 400 for an amount with too many decimals. */
export function createProject(
  { organization }: Context<TokenActor, never, "currency">,
  id: string,
  { milestones: planned = [], ...project }: NewProject,
): Refusal | readonly [Query<unknown>, Query<void>] {
  const currency = project.currency ?? organization.currency;
  const made = [];
  for (const [position, { amount, ...milestone }] of planned.entries()) {
    const amount_minor = amount === undefined ? null : toMinor(amount, currency);
    if (amount !== undefined && amount_minor === null) {
      return invalid(wrongAmount(`milestones.${position}.amount`, amount, currency));
    }
    made.push({ id: crypto.randomUUID(), position, ...milestone, amount_minor });
  }
  return [
    insertProject({
      ...project,
      id,
      organization_id: organization.id,
      currency,
    }),
    insertMilestones({ organizationId: organization.id, projectId: id, made: JSON.stringify(made) }),
  ];
}
