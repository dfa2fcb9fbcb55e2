import { Buffer } from "node:buffer";
import * as z from "zod";
import { instantInput } from "../contract/fields.ts";
import { limits } from "../contract/limits.ts";
import { invalid, type Refusal } from "../contract/refusal.ts";
import type { FoundPage } from "../core/pages.ts";
import { equalInConstantTime, hmacBase64Url } from "../platform/digest.ts";

const { min, max, default: byDefault } = limits.pageSizeRecords;
const sizeText = `limit must be an integer from ${min} to ${max}`;

/** The query parameters that every list has (contract L1). */
export const PageParameters = z.strictObject({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, sizeText)
    .transform(Number)
    .refine((limit) => limit >= min && limit <= max, sizeText)
    .default(byDefault)
    .meta({
      override: { type: "integer", pattern: undefined, minimum: min, maximum: max, default: byDefault },
      description: "Records per page",
      example: byDefault,
    }),
  cursor: z.string().optional().meta({
    description: "The previous page's `next_cursor`. Repeat the same filters, and do not parse the cursor",
    example: "MjAyNi0wMS0zMVQwOTozMDowMC4wMDBafDI.9k0Hl3cQ2b7mVtq1Jp5sYw8xZr4uDf6gAeBnCoKiLhM",
  }),
  updated_since: instantInput.optional().meta({
    description: "Only records that changed at or after this time (ISO 8601)",
    example: "2026-01-31T09:30:00Z",
  }),
});
export type PageParameters = z.output<typeof PageParameters>;

/** Query parameters for lists of records that never change. */
export const CreationParameters = PageParameters.extend({
  updated_since: instantInput.optional().meta({
    description: "Only records that were created at or after this time (ISO 8601)",
    example: "2026-01-31T09:30:00Z",
  }),
});

/** What a cursor is bound to in addition to the filters. `route` includes the id of the parent record, if any. */
export interface List {
  route: string;
  organizationId: string;
  /** The first secret signs cursors. A cursor signed with any of the secrets is accepted. */
  cursorKeys: readonly string[];
  /** Whether 200 records may be too large for a page, which then ends early. */
  mayBeLarge?: boolean | undefined;
}

/** A page's parameters. All except `limit` and `cursor` are filters. */
interface Paged {
  limit: number;
  cursor?: string | undefined;
}

/** Creates a cursor: the encoded position, and a signature that binds it to its list and filters. */
export const cursorAt = (list: List, parameters: Paged, position: string): string => {
  const text = btoa(position).replaceAll("=", "");
  return `${text}.${signatureOf(list, parameters, text, list.cursorKeys[0] ?? "")}`;
};

/** Whether a request's cursor was issued for this list and these filters; true without a cursor. */
export function cursorFits(list: List, parameters: Paged): boolean {
  if (parameters.cursor === undefined) return true;
  const [position = "", signature = ""] = parameters.cursor.split(".");
  return list.cursorKeys.some((key) =>
    equalInConstantTime(signature, signatureOf(list, parameters, position, key)),
  );
}

function signatureOf(
  list: List,
  { limit: _, cursor: __, ...filters }: Paged,
  position: string,
  key: string,
): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  const bound = [list.organizationId, list.route, given.sort(([a], [b]) => (a < b ? -1 : 1)), position];
  return hmacBase64Url(key, JSON.stringify(bound));
}

/** Returns the position that a cursor claims. `cursorFits` verifies the signature once the organization is known. */
export function positionIn(cursor: string): string | null {
  const position = /^([A-Za-z0-9+/]{1,200})\.[\w-]{43}$/.exec(cursor)?.[1];
  return position === undefined ? null : Buffer.from(position, "base64").toString("latin1");
}

/** The position, in the order of (updated_at, id), at which a page starts. */
export interface Position {
  updatedAt: string;
  id: string;
}

const start: Position = { updatedAt: "", id: "" };

/** Returns where a page starts: at the cursor's position, or without a cursor at updated_since (inclusive). */
export function startOf({ cursor, updated_since }: PageParameters): Position | Refusal {
  if (cursor === undefined) return updated_since ? { updatedAt: updated_since, id: "" } : start;
  const [updatedAt, id] = positionIn(cursor)?.split("|") ?? [];
  if (updatedAt === undefined || id === undefined) return invalidCursor();
  return { updatedAt, id };
}

type PageOf<T> = { data: T[]; next_cursor: string | null };

/**
 * Builds a page of up to `limit` records from `limit` + 1 loaded ones. Returns a 400 if the cursor was not issued for
 * this list. The cursor names the first record of the next page, so no page loads records of the previous one. `cut` is
 * the position of a later record that was not loaded.
 */
export function pageBy<T>(
  records: readonly T[],
  parameters: Paged,
  list: List,
  positionOf: (record: T) => string,
  cut: string | null = null,
): PageOf<T> | Refusal {
  if (!cursorFits(list, parameters)) return invalidCursor();
  const wanted = records.slice(0, parameters.limit);
  const data = list.mayBeLarge ? fitting(wanted) : wanted;
  const next = records[data.length];
  const position = next ? positionOf(next) : cut;
  return { data, next_cursor: position === null ? null : cursorAt(list, parameters, position) };
}

/** Builds a page of a list ordered by last change. */
export const pageOf = <T extends { updated_at: string; id: string }>(
  { records, cut }: Pick<FoundPage<T>, "records" | "cut">,
  parameters: PageParameters,
  list: List,
): PageOf<T> | Refusal => pageBy(records, parameters, list, positionBefore, cut && positionBefore(cut));

const positionBefore = ({ updated_at, id }: { updated_at: string; id: string }) => `${updated_at}|${id}`;

/** Returns the first records that fit on a page, at least one. The size of a record is limited when it is created. */
function fitting<T>(records: T[]): T[] {
  let bytes = 0;
  const end = records.findIndex((record, index) => {
    bytes += Buffer.byteLength(JSON.stringify(record));
    return bytes > limits.pageBytes && index > 0;
  });
  return end < 0 ? records : records.slice(0, end);
}

export const invalidCursor = () => invalid("cursor is not valid for this list");

/** Builds the schema of a list's response (contract L1). */
export const ListPage = <T extends z.ZodType, const More extends z.ZodRawShape = Record<never, never>>(
  resource: T,
  more: More = {} as More,
) =>
  z
    .object({ data: z.array(resource), next_cursor: z.string().nullable(), ...more })
    .meta({ id: `${resource.meta()?.id}Page` });
