import { trip } from "../platform/log.ts";

/**
 * One SQL statement, its parameters and the reading of its rows. Verbs of the domain return queries, so that their
 * caller decides which travel together: a batch is one trip to D1 and one transaction.
 */
export interface Query<T> {
  readonly sql: string;
  readonly params: readonly unknown[];
  read(rows: readonly RawRow[]): T;
}

/** A row as D1 hands it over: column name to value. `db/build.ts` gives it the types of the schema. */
export type RawRow = Record<string, unknown>;

export type Answers<Q extends readonly Query<unknown>[]> = {
  -readonly [K in keyof Q]: Q[K] extends Query<infer T> ? T : never;
};

/** Runs all queries in one transaction, in one trip. Throws what D1 throws; then nothing was written. */
export async function batch<const Q extends readonly Query<unknown>[]>(
  db: D1Database,
  queries: Q,
): Promise<Answers<Q>> {
  const found = await rowsFor(db, queries);
  return queries.map((query, index) => query.read(found[index] ?? [])) as Answers<Q>;
}

/** The rows of each query. */
async function rowsFor(db: D1Database, queries: readonly Query<unknown>[]): Promise<RawRow[][]> {
  const statements = queries.map(({ sql, params }) => db.prepare(sql).bind(...params));
  const answered = await trip(db.batch<RawRow>(statements));
  return answered.map(({ results }) => results);
}

/** Runs one query. */
export async function run<T>(db: D1Database, query: Query<T>): Promise<T> {
  const [answer] = await batch(db, [query]);
  return answer;
}

/** The same query; `see` maps its answer. */
export const mapped = <A, B>(query: Query<A>, see: (answer: A) => B): Query<B> => ({
  sql: query.sql,
  params: query.params,
  read: (rows) => see(query.read(rows)),
});

/** For a decision that needs nothing but the principal. */
export const nothing: Query<null> = { sql: "SELECT NULL", params: [], read: () => null };

/** Runs queries in one transaction and gives the last answer; the others' are not read. */
export async function runLast<T>(
  db: D1Database,
  queries: readonly [...Query<unknown>[], Query<T>],
): Promise<T> {
  const found = await rowsFor(db, queries);
  // The cast: the last query is of this type.
  return (queries.at(-1) as Query<T>).read(found.at(-1) ?? []);
}

/** The answer of a query whose row its own batch wrote or read before. If the row is missing, the mistake is ours. */
export const required = <T>(query: Query<T | null | undefined>): Query<T> =>
  mapped(query, (answer) => {
    if (answer === null || answer === undefined) throw new Error("a row that was just written was not found");
    return answer;
  });
