import * as z from "zod";
import { Refusal } from "../../contract/refusal.ts";
import { type C, operate } from "./page-context.ts";
import { pick } from "./search.ts";

/** A page of a list whose operation returns cursors. */
export interface ShownPage<T> {
  rows: readonly T[];
  /** The next page's cursor; undefined on the last page. */
  next: string | undefined;
}

const pageRows = 100;

/** Reads one row more than it shows, to detect the last page. */
export async function listPage<S extends z.ZodType<{ id: string }>>(
  c: C,
  operation: string,
  row: S,
): Promise<ShownPage<z.output<S>> | Refusal> {
  const fields = { ...pick(c.req.query(), ["cursor"]), limit: pageRows + 1 };
  const found = await operate(c, operation, z.array(row), fields);
  if (found instanceof Refusal) return found;
  const rows = found.slice(0, pageRows);
  return { rows, next: found.length > pageRows ? rows.at(-1)?.id : undefined };
}
