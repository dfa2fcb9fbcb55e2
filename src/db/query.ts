/**
 * One SQL statement, its parameters and the reading of its rows. Verbs of the domain return queries, so that whoever
 * calls them decides which travel together: a batch is one trip to D1 and one transaction.
 */
export interface Query<T> {
  readonly sql: string;
  readonly params: readonly unknown[];
  read(rows: readonly Row[]): T;
}

/** A row as D1 hands it over: column name to value. */
// biome-ignore lint/suspicious/noExplicitAny: a row's columns are known by the SQL beside its reading.
export type Row = Record<string, any>;

/** A row as D1 hands it over: column name to value. `db/build.ts` gives it the types of the schema. */
export type RawRow = Record<string, unknown>;

type Answers<Q extends readonly Query<unknown>[]> = {
  -readonly [K in keyof Q]: Q[K] extends Query<infer T> ? T : never;
};

/** Runs all queries in one transaction, in one trip. Throws what D1 throws; then nothing was written. */
export async function batch<const Q extends readonly Query<unknown>[]>(
  db: D1Database,
  queries: Q,
): Promise<Answers<Q>> {
  const results = await db.batch<Row>(queries.map(({ sql, params }) => db.prepare(sql).bind(...params)));
  return queries.map((query, index) => query.read(results[index]?.results ?? [])) as Answers<Q>;
}

/** Runs one query. */
export async function run<T>(db: D1Database, query: Query<T>): Promise<T> {
  const [answer] = await batch(db, [query]);
  return answer;
}

/** A statement whose rows do not matter. */
export const statement = (sql: string, ...params: unknown[]): Query<void> => ({
  sql,
  params,
  read: () => undefined,
});

/** Finds an organization's row by its id; null if it has none. `toRecord`: the record behind it, if that is not the row. */
export const findById =
  <T>(table: string, toRecord: (row: Row) => T = (row) => row as T) =>
  (organizationId: string, id: string): Query<T | null> => ({
    sql: `SELECT * FROM ${table} WHERE id = ? AND organization_id = ?`,
    params: [id, organizationId],
    read: ([row]) => (row ? toRecord(row) : null),
  });

/** The same query, its answer seen through `see`. */
export const mapped = <A, B>(query: Query<A>, see: (answer: A) => B): Query<B> => ({
  sql: query.sql,
  params: query.params,
  read: (rows) => see(query.read(rows)),
});

/** For a decision that needs to know nothing but the principal. */
export const nothing: Query<null> = { sql: "SELECT NULL", params: [], read: () => null };

/** Runs queries in one transaction and gives the answer of the last, which must find its row. */
export async function runLast<T>(
  db: D1Database,
  queries: readonly [...Query<unknown>[], Query<T | null>],
): Promise<T> {
  const answers = await batch(db, queries as readonly Query<unknown>[]);
  const last = answers.at(-1) as T | null | undefined;
  if (last === null || last === undefined) throw new Error("a row that was just written was not found");
  return last;
}

/** The answer of a row that its own batch wrote or read before; its absence is our mistake. */
export const required = <T>(query: Query<T | null | undefined>): Query<T> =>
  mapped(query, (answer) => {
    if (answer === null || answer === undefined) throw new Error("a row that was just written was not found");
    return answer;
  });
