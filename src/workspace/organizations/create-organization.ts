import { type Refusal, refuse } from "../../contract/refusal.ts";
import { auditLog } from "../../core/audit-log/tables.ts";
import { recordInService, type ServiceRequest } from "../../core/ledger/service-ledger.ts";
import type { Services } from "../../core/services.ts";
import { build, statement } from "../../db/build.ts";
import { required, run, runLast } from "../../db/query.ts";
import { newLinkPrefix } from "../../platform/secret.ts";
import { releaseNames, reserveNames } from "../directory/reserve.ts";
import { putMember } from "../members/members.ts";
import { findOrganization, listPlans } from "./organization.ts";
import type { SoldOrganization } from "./record.ts";
import { roomWarning } from "./room-warning.ts";
import { organizations } from "./tables.ts";

interface NewOrganization {
  name: string;
  slug: string;
  plan: string;
  currency: string;
  owner_email: string;
  owner_name?: string;
}

interface Founding {
  services: Pick<Services, "db" | "cell">;
  operator: string | null;
  request: ServiceRequest | undefined;
}

export async function createOrganization(
  { services: { db, cell }, operator, request }: Founding,
  { name, slug, plan, currency, owner_email, owner_name }: NewOrganization,
): Promise<SoldOrganization | Refusal> {
  const refusal = await unknownPlan(db, plan);
  if (refusal) return refusal;
  const id = crypto.randomUUID();
  const link_prefix = newLinkPrefix();
  const taken = await reserveNames({ db, cell }, { id, slug, link_prefix }, "founding");
  if (taken) return refuse("slug_taken");
  const founding = { organization_id: id, actor: owner_email, operator, subject_id: id };
  const writing = runLast(db, [
    statement(build.insert(organizations).values({ id, slug, name, plan, currency, link_prefix })),
    putMember(id, { email: owner_email, role: "owner", name: owner_name }),
    statement(
      build.insert(auditLog).values({ ...founding, action: "organization.created", details: { slug, plan } }),
    ),
    ...recordInService(request, id),
    required(findOrganization(id)),
  ]);
  const organization = await writing.catch(async (error) => {
    if (cell) await releaseNames(cell, id);
    throw error;
  });
  return { ...organization, room_warning: await roomWarning(db) };
}

export async function unknownPlan(db: D1Database, plan: string): Promise<Refusal | undefined> {
  const plans = (await run(db, listPlans())).map(({ name }) => name);
  return plans.includes(plan) ? undefined : refuse("plan_unknown", { plans });
}
