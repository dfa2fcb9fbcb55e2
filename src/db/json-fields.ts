import { type SQL, sql } from "drizzle-orm";

/** Refers to fields of the objects that `json_each(…) AS row` yields. The cast is safe: each name has one entry. */
export const jsonFields = <K extends string>(row: string, ...names: K[]): Record<K, SQL> =>
  Object.fromEntries(names.map((name) => [name, sql.raw(`${row}.value ->> '${name}'`)])) as Record<K, SQL>;
