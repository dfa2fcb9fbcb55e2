import { type AdminRefusal, deny } from "../../contract/admin-refusals.ts";
import type { Organization } from "../../contract/workspace/organization.ts";
import { run, runLast, statement } from "../../db/query.ts";
import { audited } from "../audited-change.ts";
import { putMember } from "./members.ts";
import { findOrganization, planNames } from "./organization.ts";

export interface NewOrganization {
  name: string;
  slug: string;
  plan: string;
  currency: string;
  owner_email: string;
  owner_name?: string;
}

/** Founds a workspace with its owner. */
export async function createOrganization(
  db: D1Database,
  { name, slug, plan, currency, owner_email, owner_name }: NewOrganization,
): Promise<Organization | AdminRefusal> {
  const refusal = await unknownPlan(db, plan);
  if (refusal) return refusal;
  const id = crypto.randomUUID();
  return runLast(db, [
    statement(
      "INSERT INTO organizations (id, slug, name, plan, currency) VALUES (?, ?, ?, ?, ?)",
      id,
      slug,
      name,
      plan,
      currency,
    ),
    putMember(id, { email: owner_email, role: "owner", name: owner_name }),
    audited({ organization: { id }, actor: { email: owner_email } }, "organization.created", id, {
      slug,
      plan,
    }),
    findOrganization(id),
  ]);
}

export async function unknownPlan(db: D1Database, plan: string): Promise<AdminRefusal | undefined> {
  const names = await run(db, planNames);
  return names.includes(plan) ? undefined : deny(`plan must be one of ${names.join(", ")}`);
}
