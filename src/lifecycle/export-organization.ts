import { getTableColumns, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import * as z from "zod";
import { Refusal, refuse } from "../contract/refusal.ts";
import type { Staff } from "../core/actor.ts";
import { auditColumns } from "../core/audit-log/audited-change.ts";
import { auditLog } from "../core/audit-log/tables.ts";
import type { Context } from "../core/context.ts";
import { imageFolder } from "../core/images/asset.ts";
import { insertSelect, rows, statement } from "../db/build.ts";
import { run } from "../db/query.ts";
import { listRequests } from "../workspace/request-log/read-log.ts";
import { completeStep } from "./export-complete.ts";
import { imagePartBytes, readImages } from "./read-images.ts";
import { nameOf, type OwnRows, ownTables, selectOwn } from "./rows-of-organization.ts";
import type { ExportStep } from "./steps.ts";

/** Tables that exports leave out: hashes of the e-mailed keys and codes that open a review, and duplicated data. */
export const tablesLeftOut: readonly string[] = ["review_keys", "review_codes", "unsent_facts"];

/** Columns with credentials. Hashes of versions, contents and requests do not count as credentials. */
export const columnsLeftOut: Readonly<Record<string, readonly string[]>> = {
  api_tokens: ["token_hash"],
  connections: ["code_hash"],
  invitations: ["token_hash", "next_token_hash"],
  requests: ["secret_encrypted"],
  webhook_endpoints: ["secret_encrypted", "previous_secret_encrypted", "headers_encrypted"],
};

/** How much is read per step. */
export const stepLimits = {
  /** The longest row, evidence with metadata, is about 80 KB, so a step holds at most 8 MB. */
  rows: 100,
  imageBytes: imagePartBytes,
};

const tables = ownTables.filter(({ table }) => !tablesLeftOut.includes(nameOf(table)));
const images = "images";
/** The position of the first image. Images come after all rows and the request log. */
export const imagesPosition = JSON.stringify([images]);
const requestLog = "request_log";
export const requestLogPosition = JSON.stringify([requestLog]);
/** The prefix of positions in a full export, which includes credentials. */
const complete = "complete";

/**
 * A table and the key after which a step begins, or `images`, a path, and the number of bytes already read from that
 * image.
 */
const Position = z.tuple([z.string()], z.union([z.string(), z.number()]));

function read(position: string): z.output<typeof Position> {
  try {
    return Position.parse(JSON.parse(position));
  } catch {
    return [""];
  }
}

/**
 * Runs one step of an export. Returns rows of a table as JSON Lines, or part of an image. `next` is the position of the
 * next step. The first step has no position and writes an audit log entry.
 */
export async function exportStep(
  context: Context<Staff, "db" | "images" | "coordinators", "slug">,
  position?: string,
  isComplete = false,
): Promise<ExportStep | Refusal> {
  if (position === undefined) await run(context.services.db, auditBegin(context));
  const [name, ...after] =
    position === undefined ? [isComplete ? complete : "organizations"] : read(position);
  if (name === complete) return completeStep(context, after);
  if (name === images) return imageStep(context, String(after[0] ?? ""), Number(after[1] ?? 0));
  if (name === requestLog) return requestsStep(context, after[0]);
  const own = tables.find(({ table }) => nameOf(table) === name);
  if (!own || (after.length > 0 && after.length !== own.key.length)) return refuse("position_wrong");
  return rowsStep(context, own, after);
}

/**
 * Runs a step whose `position` is accepted only by this cell, because another cell numbers some of a moved workspace's
 * rows differently.
 */
export async function exportStepHere(
  context: Context<Staff, "db" | "cell" | "images" | "coordinators", "slug">,
  { position, complete: isComplete }: { position?: string | undefined; complete?: boolean | undefined },
): Promise<ExportStep | Refusal> {
  const { cell } = context.services;
  const here = cell === null ? "" : `${cell.name} `;
  if (position !== undefined && !position.startsWith(`${here}[`)) return refuse("position_wrong");
  const step = await exportStep(context, position?.slice(here.length), isComplete);
  return step instanceof Refusal || step.next === null ? step : { ...step, next: here + step.next };
}

const auditBegin = (context: Context<Staff, never>) => {
  const entry = {
    ...auditColumns(context),
    subject_id: context.organization.id,
    action: "organization.exported",
  };
  return statement(insertSelect(auditLog, entry, sql``));
};

const stepOf = ({ organization: { id, slug } }: Context<Staff, never, "slug">, next: unknown[] | null) => ({
  id,
  organization: slug,
  files: [],
  manifest: null,
  rows: 0,
  images: 0,
  next: next && JSON.stringify(next),
});

async function rowsStep(
  context: Context<Staff, "db", "slug">,
  own: OwnRows,
  after: readonly unknown[],
): Promise<ExportStep> {
  const name = nameOf(own.table);
  const secret = columnsLeftOut[name] ?? [];
  const columns = Object.fromEntries(
    Object.entries<SQLiteColumn>(getTableColumns(own.table)).filter(([column]) => !secret.includes(column)),
  );
  const keys = own.key.map((column, index) => sql`${column} AS ${sql.identifier(`key_${index}`)}`);
  const page = { organizationId: context.organization.id, limit: stepLimits.rows };
  const built = selectOwn(
    own,
    [...Object.values(columns), ...keys],
    after.length > 0 ? { ...page, after } : page,
  );
  const found: Record<string, unknown>[] = await run(context.services.db, rows(columns, built));
  const last = found.at(-1);
  const lastKey = own.key.map((_, index) => last?.[`key_${index}`]);
  const following = tables[tables.indexOf(own) + 1];
  const isLast = found.length < stepLimits.rows;
  const next = isLast ? [following ? nameOf(following.table) : requestLog] : [name, ...lastKey];
  for (const row of found) for (const index of own.key.keys()) delete row[`key_${index}`];
  const text = found.map((row) => `${JSON.stringify(row)}\n`).join("");
  const files = [{ file: `${name}.jsonl`, text, base64: null }];
  return { ...stepOf(context, next), files, rows: found.length };
}

/** Exports requests from the log, newest first, starting after the request with this id. */
async function requestsStep(
  context: Context<Staff, "db" | "coordinators", "slug">,
  after: unknown,
): Promise<ExportStep> {
  const { services, organization } = context;
  const { rows: limit } = stepLimits;
  const cursor = after === undefined ? undefined : String(after);
  const found = await listRequests(services, organization.id, { cursor, limit });
  const next = found.length < limit ? [images] : [requestLog, found.at(-1)?.request_id];
  const text = found.map((request) => `${JSON.stringify(request)}\n`).join("");
  const files = [{ file: `${requestLog}.jsonl`, text, base64: null }];
  return { ...stepOf(context, next), files, rows: found.length };
}

async function imageStep(
  context: Context<Staff, "images", "slug">,
  path: string,
  offset: number,
): Promise<ExportStep> {
  const { services, organization } = context;
  const read = await readImages(services.images, imageFolder(organization.id), path, offset);
  return {
    ...stepOf(context, read.next && [images, ...read.next]),
    files: read.images.map((image) => ({
      file: `${images}/${image.path}`,
      text: null,
      base64: image.base64,
    })),
    images: read.whole.length,
  };
}
