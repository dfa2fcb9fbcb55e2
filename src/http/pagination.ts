import { Buffer } from "node:buffer";
import * as z from "zod";
import { invalid, type Refusal } from "../contract/failures.ts";
import { timestampInput } from "../contract/fields.ts";
import { limits } from "../contract/limits.ts";
import { equalInConstantTime, hmacBase64Url } from "../platform/digest.ts";

const { min, max, default: byDefault } = limits.pageSizeRecords;
const sizeText = `limit must be an integer from ${min} to ${max}`;

/** Query parameters of every list (specification 4.4, CONTRACT 5). */
export const PageParameters = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,3}$/, sizeText)
    .transform(Number)
    .refine((limit) => limit >= min && limit <= max, sizeText)
    .default(byDefault)
    .meta({
      override: { type: "integer", pattern: undefined, minimum: min, maximum: max, default: byDefault },
      description: "Records per page",
    }),
  cursor: z
    .string()
    .optional()
    .meta({ description: "The previous page's next_cursor, with the same filters; opaque" }),
  updated_since: timestampInput
    .optional()
    .meta({ description: "ISO 8601; only records changed at or after it", example: "2026-01-31T09:30:00Z" }),
});
export type PageParameters = z.output<typeof PageParameters>;

/** Where a page starts: at this position in (updated_at, id). */
export interface Position {
  updatedAt: string;
  id: string;
}

const start: Position = { updatedAt: "", id: "" };

/** The position a page starts at: the later of the cursor's and updated_since, which is inclusive. */
export function startOf({ cursor, updated_since }: PageParameters): Position | Refusal {
  const since = updated_since ? { updatedAt: updated_since, id: "" } : start;
  if (cursor === undefined) return since;
  const position = decode(cursor);
  return position && position.updatedAt >= since.updatedAt ? position : invalidCursor();
}

/**
 * A page of up to `limit` records from `limit` + 1 read ones, or a 400 if its cursor was not made for this list. The cursor
 * tells the first record of the next page, which is read anyway: no page reads a record of the one before it.
 */
export function pageOf<T extends { updated_at: string; id: string }>(
  records: readonly T[],
  parameters: PageParameters,
  list: { route: string; organizationId: string; cursorKey: string; hasChildren?: boolean },
): { data: T[]; next_cursor: string | null } | Refusal {
  const sign = (position: string) =>
    hmacBase64Url(
      list.cursorKey,
      JSON.stringify([list.organizationId, list.route, parameters.updated_since ?? null, position]),
    );
  if (parameters.cursor !== undefined) {
    const [position = "", signature = ""] = parameters.cursor.split(".");
    if (!equalInConstantTime(signature, sign(position))) return invalidCursor();
  }
  const wanted = records.slice(0, parameters.limit);
  const data = list.hasChildren ? fitting(wanted) : wanted;
  const next = records[data.length];
  if (!next) return { data, next_cursor: null };
  const position = btoa(`${next.updated_at}|${next.id}`).replaceAll("=", "");
  return { data, next_cursor: `${position}.${sign(position)}` };
}

/**
 * The first records that fit into a page; at least one, which is bounded by what its create takes. Without children, 200
 * records are 1 MB at most.
 */
function fitting<T>(records: T[]): T[] {
  let characters = 0;
  const end = records.findIndex((record, index) => {
    characters += JSON.stringify(record).length;
    return characters > limits.pageCharacters && index > 0;
  });
  return end < 0 ? records : records.slice(0, end);
}

function decode(cursor: string): Position | null {
  const parts = /^([A-Za-z0-9+/]{1,200})\.[\w-]{43}$/.exec(cursor)?.[1];
  if (!parts) return null;
  const [updatedAt, id] = Buffer.from(parts, "base64").toString("latin1").split("|");
  return updatedAt !== undefined && id !== undefined ? { updatedAt, id } : null;
}

const invalidCursor = () => invalid("cursor is not valid for this list");

/** The answer of a list (specification 4.4). */
export const Page = <T extends z.ZodType>(resource: T) =>
  z.object({ data: z.array(resource), next_cursor: z.string().nullable() });
