import { Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";

type List = readonly (string | number)[] | Placeholder;

const isList = (among: List | SQLWrapper): among is List =>
  Array.isArray(among) || among instanceof Placeholder;

/**
 * `column IN (…)` with a statement or a list. A list is bound as one parameter, the JSON of its values, because D1
 * allows only 100 parameters. A placeholder is bound to such JSON.
 */
export const isIn = (column: SQLWrapper, among: List | SQLWrapper): SQL =>
  sql`${column} IN ${isList(among) ? listed(among) : among}`;

const listed = (list: List): SQL =>
  sql`(SELECT value FROM json_each(${list instanceof Placeholder ? list : JSON.stringify(list)}))`;
