import { type SQL, sql } from "drizzle-orm";

/** Fields per function call. D1 allows 32 arguments, and each field takes two. */
const fieldsOfCall = 15;

/** Builds a JSON object as text. The field names are our own constants. */
export function jsonObject(fields: Readonly<Record<string, SQL>>): SQL {
  const pairs = Object.entries(fields);
  const list = (from: number, before: string) =>
    sql.join(
      pairs
        .slice(from, from + fieldsOfCall)
        .map(([key, value]) => sql`${sql.raw(`'${before}${key}'`)}, ${value}`),
      sql`, `,
    );
  let json = sql`json_object(${list(0, "")})`;
  for (let from = fieldsOfCall; from < pairs.length; from += fieldsOfCall)
    json = sql`json_set(${json}, ${list(from, "$.")})`;
  return json;
}
