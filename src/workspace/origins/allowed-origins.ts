import { and, eq, sql } from "drizzle-orm";
import { noSuch, type Refusal, refuse } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { changeEntries } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { build, changesRow, insertSelect, row, statement } from "../../db/build.ts";
import { batch, type Query, required, run, runLast } from "../../db/query.ts";
import { records } from "../../db/records.ts";
import { AllowedOrigin } from "./record.ts";
import { allowedOrigins as table } from "./tables.ts";

const origins = records(table, AllowedOrigin, {});

/** Reads a page of a workspace's origins, newest first. */
export const listOrigins = (
  db: D1Database,
  organizationId: string,
  page: { limit: number; cursor?: string | undefined },
) => origins.page(db, organizationId, { ...page, kind: "an allowed origin" });

const selection = {
  id: table.id,
  origin: table.origin,
  created_by: table.created_by,
  created_at: table.created_at,
};

const isOrigin = (organizationId: string, origin: string) =>
  and(eq(table.organization_id, organizationId), eq(table.origin, origin));

export const findOrigin = (organizationId: string, origin: string): Query<AllowedOrigin | null> =>
  row(selection, build.select(selection).from(table).where(isOrigin(organizationId, origin)));

/** Allows an origin for links in review e-mails. An origin that is already allowed stays unchanged. */
export async function allowOrigin(
  context: Context<Staff, "db">,
  text: string,
): Promise<AllowedOrigin | Refusal> {
  const origin = httpsOrigin(text);
  if (origin === null) return refuse("origin_not_https");
  const { organization, actor, services } = context;
  const values = { id: crypto.randomUUID(), organization_id: organization.id, origin, created_by: actor.id };
  return runLast(services.db, [
    changesRow(sql`${insertSelect(table, values, sql`WHERE true`)} ON CONFLICT DO NOTHING RETURNING id`),
    ...changeEntries(context, "origin.allowed", origin, { origin }),
    required(findOrigin(organization.id, origin)),
  ]);
}

/** Removes an origin. New links use the application's own origin again; links in sent e-mails don't change. */
export async function removeOrigin(
  context: Context<Staff, "db">,
  text: string,
): Promise<AllowedOrigin | Refusal> {
  const origin = httpsOrigin(text) ?? text;
  const { db } = context.services;
  const { id } = context.organization;
  const found = await run(db, findOrigin(id, origin));
  if (!found) return noSuch("allowed origin", origin);
  await batch(db, [
    statement(build.delete(table).where(isOrigin(id, origin))),
    // The result is stored, because no record is left to read it from.
    ...changeEntries(context, "origin.removed", origin, {}, { answer: found }),
  ]);
  return found;
}

/** Normalizes an https origin; null for anything else, such as a URL with a path, a query or credentials. */
function httpsOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === "https:" && url.href === `${url.origin}/` ? url.origin : null;
}
