import { and, asc, eq, gt, isNull, lt, or, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { Refusal, refuse } from "../contract/refusal.ts";
import type { Staff } from "../core/actor.ts";
import type { Context } from "../core/context.ts";
import type { Services } from "../core/services.ts";
import { build, changesRow, rows, rowsOf } from "../db/build.ts";
import { isIn } from "../db/is-in.ts";
import { batch, firstMissing, mapped, type Query, run } from "../db/query.ts";
import { reviewCodes, reviewKeys } from "../review/access/tables.ts";
import { pseudonymOf } from "../work/clients/erased.ts";
import { clientResource } from "../work/clients/read-clients.ts";
import { connections } from "../workspace/connections/tables.ts";
import { markAllOutdated } from "../workspace/directory/rebuild.ts";
import { findMember } from "../workspace/members/members.ts";
import { invitations } from "../workspace/members/tables.ts";
import { findOrganization } from "../workspace/organizations/organization.ts";
import { organizations } from "../workspace/organizations/tables.ts";
import { sessions, signInLinks } from "../workspace/sessions/tables.ts";
import { apiTokens } from "../workspace/tokens/tables.ts";
import { eraseClientStep } from "./erase-client.ts";
import { eraseOrganizationStep } from "./erase-organization.ts";
import { marksAfter } from "./erasure-marks.ts";
import { eraseMovedAway, findArrived, findMovedAway } from "./move/restored.ts";
import type { AfterRestoreStep } from "./steps.ts";

/** Limits per step. Callers show progress after each step. */
const stepLimits = { rows: 1000, organizations: 50, erasures: 20 };

type Uses = Pick<Services, "db" | "cell" | "images" | "coordinators" | "eraseCoordinator" | "serviceState">;

const nothing = {
  sessions: 0,
  sign_in_links: 0,
  invitations: 0,
  codes: 0,
  tokens: 0,
  invoice_numbers: 0,
  clients: 0,
  organizations: 0,
  moved: 0,
  arrived: [],
};

/**
 * Runs one step of the work that follows a restore of the database to an earlier point in time (contract B2). `next` is
 * the next step's position. A step skips work that is already done, so it can be repeated.
 */
export async function afterRestoreStep(
  services: Uses,
  operator: string,
  { position, confirm = false }: { position?: string | undefined; confirm?: boolean | undefined },
): Promise<AfterRestoreStep | Refusal> {
  const missing = await firstMissing(services.db);
  if (missing !== null) return refuse("database_behind", { migration: missing });
  if (services.serviceState === "open" && !confirm) return refuse("service_open_after_restore");
  const [part = "", after = ""] = position?.split(" ") ?? [];
  if (part === "workspaces") return restoreSurvivingFacts(services, after);
  if (part === "erasures") return eraseAgain(services, operator, after);
  return endAccess(services);
}

/**
 * Deletes sessions, links and codes, because the restore made used and ended ones valid again. Links in review e-mails
 * stay valid.
 */
async function endAccess({ db }: Uses): Promise<AfterRestoreStep> {
  const ofCodes = eq(reviewKeys.attribution, "mailed_code");
  const [ended, links, invited, codes, keys, unfetched] = await batch(db, [
    deleteSome(sessions, sessions.token_hash),
    deleteSome(signInLinks, signInLinks.token_hash),
    deleteSome(invitations, invitations.id),
    deleteSome(reviewCodes, reviewCodes.id),
    deleteSome(reviewKeys, reviewKeys.key_hash, ofCodes),
    deleteSome(connections, connections.id, isNull(connections.connected_at)),
  ]);
  const isLast = [ended, links, invited, codes, keys, unfetched].every((count) => count < stepLimits.rows);
  return {
    ...nothing,
    sessions: ended,
    sign_in_links: links,
    invitations: invited,
    codes: codes + keys + unfetched,
    next: isLast ? "workspaces" : "access",
  };
}

function deleteSome(table: SQLiteTable, key: SQLiteColumn, where?: SQL): Query<number> {
  const some = build.select({ key }).from(table).where(where).limit(stepLimits.rows);
  const deleted = build.delete(table).where(isIn(key, some)).returning({ key });
  return mapped(rows({ key }, deleted), (keys) => keys.length);
}

/**
 * Applies the token expiries and invoice numbers that each coordinator recorded. Erases workspaces that have moved
 * away.
 */
async function restoreSurvivingFacts(services: Uses, after: string): Promise<AfterRestoreStep> {
  const { db, coordinators } = services;
  const { id } = organizations;
  const some = build
    .select({ id })
    .from(organizations)
    .where(gt(id, after))
    .orderBy(asc(id))
    .limit(stepLimits.organizations);
  const found = await run(db, rowsOf(some));
  const away = await findMovedAway(
    services,
    found.map((each) => each.id),
  );
  if (away !== undefined) {
    const isErased = await eraseMovedAway(services, away);
    return { ...nothing, moved: isErased ? 1 : 0, next: `workspaces ${after}` };
  }
  const step = { ...nothing };
  for (const organization of found) {
    const { tokenEnds, invoiceNumber } = await coordinators.getByName(organization.id).keptFacts();
    const [moved, ...ended] = await batch(db, [
      moveNumber(organization.id, invoiceNumber ?? 0),
      ...Object.entries(tokenEnds).map(([tokenId, at]) => endToken(organization.id, tokenId, at)),
    ]);
    step.invoice_numbers += moved ? 1 : 0;
    step.tokens += ended.filter((isEnded) => isEnded).length;
  }
  const last = found.length < stepLimits.organizations ? undefined : found.at(-1);
  return { ...step, next: last ? `workspaces ${last.id}` : "erasures" };
}

const moveNumber = (organizationId: string, number: number): Query<boolean> => {
  const { id, next_invoice_number } = organizations;
  const isBehind = and(eq(id, organizationId), lt(next_invoice_number, number));
  return changesRow(
    build.update(organizations).set({ next_invoice_number: number }).where(isBehind).returning({ id }),
  );
};

/** Revokes a token that had ended, or restores its expiry. */
function endToken(organizationId: string, tokenId: string, at: string): Query<boolean> {
  const isOwn = and(eq(apiTokens.organization_id, organizationId), eq(apiTokens.id, tokenId));
  const isLonger = or(isNull(apiTokens.expires_at), gt(apiTokens.expires_at, at));
  const hasEnded = Date.parse(at) <= Date.now();
  return changesRow(
    build
      .update(apiTokens)
      .set(hasEnded ? { revoked_at: at } : { expires_at: at })
      .where(and(isOwn, isNull(apiTokens.revoked_at), isLonger))
      .returning({ id: apiTokens.id }),
  );
}

async function eraseAgain(services: Uses, operator: string, after: string): Promise<AfterRestoreStep> {
  const { marks, last } = await marksAfter(services.images, after, stepLimits.erasures);
  const step = { ...nothing };
  for (const mark of marks) {
    const context = await contextOf(services, operator, mark.organizationId);
    if (context === null) continue;
    if (mark.clientId === null) step.organizations += await eraseOrganization(context);
    else step.clients += await eraseClient(context, mark.clientId);
  }
  // The directory must match the restored database.
  if (last === null && services.cell) await run(services.db, markAllOutdated);
  const arrived = last === null ? await findArrived(services) : [];
  return { ...step, arrived, next: last && `erasures ${last}` };
}

/**
 * Builds a workspace's context. Returns null if the restored database does not have the workspace, because then there
 * is nothing to erase.
 */
async function contextOf(
  services: Uses,
  operator: string,
  organizationId: string,
): Promise<Context<Staff, keyof Uses, "slug"> | null> {
  const [organization, owner] = await batch(services.db, [
    findOrganization(organizationId),
    findMember(organizationId),
  ]);
  if (!organization || !owner) return null;
  return { services, organization, actor: { ...owner, kind: "operator", operator }, request: undefined };
}

async function eraseOrganization(context: Context<Staff, keyof Uses, "slug">): Promise<number> {
  const confirm = context.organization.slug;
  for (let position: string | undefined; ; ) {
    const step = await eraseOrganizationStep(context, { confirm, position });
    if (step instanceof Refusal) return 0;
    if (step.next === null) return 1;
    position = step.next;
  }
}

async function eraseClient(context: Context<Staff, keyof Uses, "slug">, id: string): Promise<number> {
  const before = await run(context.services.db, clientResource.read(context.organization.id, id));
  let rows = 0;
  for (let position: string | undefined; ; ) {
    const step = await eraseClientStep(context, { id, position });
    if (step instanceof Refusal) return 0;
    rows += step.rows;
    if (step.next === null) return rows > 0 || before?.name !== pseudonymOf(id) ? 1 : 0;
    position = step.next;
  }
}
