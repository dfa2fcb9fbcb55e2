import { eq, type SQL, sql } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { type Refusal, refuse } from "../contract/refusal.ts";
import type { Staff } from "../core/actor.ts";
import type { Context } from "../core/context.ts";
import { events, webhookDeliveries } from "../core/events/tables.ts";
import { imageFolder } from "../core/images/asset.ts";
import type { Services } from "../core/services.ts";
import { build, rows, statement } from "../db/build.ts";
import { fences } from "../db/fencing.ts";
import { imports } from "../db/importing.ts";
import { isMoving } from "../db/moving.ts";
import { batch, mapped, type Query, run } from "../db/query.ts";
import { removeSomeImages } from "../platform/images.ts";
import { logLine } from "../platform/log.ts";
import { deleteEvents } from "../webhooks/deliveries/purge-events.ts";
import { webhookAttempts } from "../webhooks/deliveries/tables.ts";
import { members } from "../workspace/members/tables.ts";
import { organizations } from "../workspace/organizations/tables.ts";
import { apiTokens } from "../workspace/tokens/tables.ts";
import { erasing } from "./erasing.ts";
import { markErasure } from "./erasure-marks.ts";
import { nameOf, type OwnRows, ownTables, selectOwn } from "./rows-of-organization.ts";
import type { ErasureStep } from "./steps.ts";

const stepLimits = {
  /** Rows per transaction. Deleting an invoice line also updates its invoice and its time entry. */
  rows: 200,
  /** Events per transaction. Their deliveries and attempts are deleted as well. */
  events: 50,
  /** Transactions per step. Callers show progress after each step. */
  batches: 50,
};

/**
 * The tables in deletion order: no remaining table refers to a deleted one. Deliveries and attempts are deleted with
 * their events. The organization and its members come last, in one transaction.
 */
const tables: readonly OwnRows[] = ownTables.toReversed().filter(({ table }) => {
  const others: readonly unknown[] = [organizations, members, webhookDeliveries, webhookAttempts];
  return !others.includes(table);
});
const images = "images";

/**
 * Runs one step of erasing a workspace. `next` is the position of the next step. Tokens are deleted first, so that no
 * further calls are accepted. After a crash, starting the erasure again continues with the remaining rows.
 */
export async function eraseOrganizationStep(
  context: Context<Staff, "db" | "images" | "eraseCoordinator", "slug">,
  { confirm, position }: { confirm: string; position?: string | undefined },
): Promise<ErasureStep | Refusal> {
  const { services, organization } = context;
  const { id, slug } = organization;
  if (confirm !== slug) return refuse("confirmation_wrong", { slug });
  if (await isMoving(services.db, id)) return refuse("organization_is_moving");
  if (position === undefined) {
    await markErasure(services.images, { organizationId: id, clientId: null });
    const ofAll = eq(apiTokens.organization_id, id);
    await batch(services.db, erasing(id, [statement(build.delete(apiTokens).where(ofAll))]));
  }
  const step = await eraseOrganizationRows(services, id, position);
  if (step.next === null) logLine({ erased: "organization", organization_id: id });
  return { id, organization: slug, ...step };
}

/** Erases rows without recording an erasure. Also used for a workspace that has moved to another cell. */
export async function eraseOrganizationRows(
  services: Pick<Services, "db" | "images" | "eraseCoordinator">,
  id: string,
  position?: string,
): Promise<Pick<ErasureStep, "rows" | "images" | "next">> {
  const step: Pick<ErasureStep, "rows" | "images" | "next"> = { rows: 0, images: 0, next: null };
  const filled = await tablesWithRows(services.db, id);
  let place = position === images ? tables.length : Math.max(0, tables.findIndex(isCalled(position)));
  for (let left = stepLimits.batches; left > 0 && place < tables.length; left -= 1) {
    const here = tables[place] as OwnRows;
    const isEmpty = !filled.has(nameOf(here.table));
    const { took, isLast } = isEmpty ? { took: 0, isLast: true } : await eraseSome(services.db, id, here);
    step.rows += took;
    if (isLast) place += 1;
  }
  const here = tables[place];
  if (here) return { ...step, next: nameOf(here.table) };
  const outside = await eraseOutside(services, id);
  if (!outside.isLast) return { ...step, images: outside.took, next: images };
  const first = nameOf((tables[0] as OwnRows).table);
  const next = (await eraseItself(services.db, id)) ? null : first;
  if (next && position === first && step.rows === 0)
    throw new Error("ownTables lack a table that refers to these rows");
  // In-flight requests may have been counted, or have stored an image, in the meantime.
  if (next === null) await eraseOutside(services, id);
  return { ...step, images: outside.took, next };
}

async function tablesWithRows(db: D1Database, organizationId: string): Promise<Set<string>> {
  const name = { name: sql<string>`name`.as("name") };
  const looking = tables.map(({ table, from, organization }) =>
    rows(
      name,
      sql`SELECT ${nameOf(table)} AS name FROM ${from} WHERE ${organization} = ${organizationId} LIMIT 1`,
    ),
  );
  return new Set((await batch(db, looking)).flat().map((found) => found.name));
}

const isCalled = (name: string | undefined) => (own: OwnRows) => nameOf(own.table) === name;

interface Erased {
  took: number;
  isLast: boolean;
}

async function eraseSome(db: D1Database, organizationId: string, own: OwnRows): Promise<Erased> {
  if (own.table === events) {
    const { id } = events;
    const page = selectOwn(own, [id], { organizationId, limit: stepLimits.events });
    const ids = (await run(db, rows({ id }, page))).map((event) => event.id);
    if (ids.length > 0) await batch(db, erasing(organizationId, deleteEvents(ids)));
    return { took: ids.length, isLast: ids.length < stepLimits.events };
  }
  const [, took] = await batch(db, erasing(organizationId, [deleteOwn(own, organizationId)]));
  return { took, isLast: took < stepLimits.rows };
}

/** Deletes some of an organization's rows and returns their number. */
function deleteOwn(own: OwnRows, organizationId: string): Query<number> {
  const { columns, primaryKeys } = getTableConfig(own.table);
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
  const names = sql.join(
    key.map((column) => sql`${column}`),
    sql`, `,
  );
  const found = selectOwn(own, key, { organizationId, limit: stepLimits.rows });
  const selection = { gone: sql<number>`1`.as("gone") };
  const built: SQL = sql`DELETE FROM ${own.table} WHERE (${names}) IN (${found}) RETURNING 1 AS gone`;
  return mapped(rows(selection, built), (gone) => gone.length);
}

async function eraseOutside(
  services: Pick<Services, "images" | "eraseCoordinator">,
  organizationId: string,
): Promise<Erased> {
  const removed = await removeSomeImages(services.images, imageFolder(organizationId));
  if (removed.isLast) await services.eraseCoordinator(organizationId);
  return removed;
}

/**
 * Deletes the organization and its members. Returns false if a client or an admin has written another row in the
 * meantime, because that row must be deleted first.
 */
async function eraseItself(db: D1Database, organizationId: string): Promise<boolean> {
  try {
    await batch(db, [
      ...erasing(organizationId, [
        statement(build.delete(members).where(eq(members.organization_id, organizationId))),
      ]),
      statement(build.delete(fences).where(eq(fences.id, organizationId))),
      statement(build.delete(organizations).where(eq(organizations.id, organizationId))),
      statement(build.delete(imports).where(eq(imports.id, organizationId))),
    ]);
    return true;
  } catch (error) {
    if (/FOREIGN KEY constraint failed/.test(String(error))) return false;
    throw error;
  }
}
