import { d1Span } from "../platform/log.ts";
import { orUnavailable, Unavailable } from "../platform/unavailable.ts";
import { migrations } from "./migrations.ts";
import {
  damagedSchemaError,
  isSchemaError,
  lacksMigrationsTable,
  missingMigration,
  missingMigrationError,
} from "./missing-migration.ts";

/**
 * A SQL statement, its parameters and the mapping of its rows. Functions return queries instead of running them, so
 * that the caller can run several in one batch: one round trip to D1 and one transaction.
 */
export interface Query<T> {
  readonly sql: string;
  readonly params: readonly unknown[];
  read(rows: readonly RawRow[]): T;
  /** The batch can safely run again, because this query aborts the second run if the first one took effect. */
  isSafeToRetry?: boolean;
}

/** A row as D1 returns it: column name to value. `db/build.ts` adds the schema's types. */
export type RawRow = Record<string, unknown>;

export type Answers<Q extends readonly Query<unknown>[]> = {
  -readonly [K in keyof Q]: Q[K] extends Query<infer T> ? T : never;
};

/**
 * How long a request waits for D1 before it returns a 503. D1 itself ends a query after 30 s. The limit is longer than
 * a request waits for an in-flight request with the same key, and shorter than a key's lease.
 */
const timeLimitMs = 15_000;

/** D1 has usually recovered from a reset within this time. */
const pauseMs = 100;

/**
 * Runs all queries in one transaction and one round trip. If D1 throws, nothing was written. If the database is briefly
 * unreachable, a batch that can be run again is retried once. After `Unavailable`, the batch may or may not have taken
 * effect, unless the database is full.
 */
export async function batch<const Q extends readonly Query<unknown>[]>(
  db: D1Database,
  queries: Q,
): Promise<Answers<Q>> {
  const found = await rowsFor(db, queries);
  return queries.map((query, index) => query.read(found[index] ?? [])) as Answers<Q>;
}

/** Databases with their own migrations: the directory. */
const withOwnMigrations = new WeakSet<D1Database>();

/** Excludes a database from the check for this code's migrations. */
export function skipMigrationCheck(db: D1Database): D1Database {
  withOwnMigrations.add(db);
  return db;
}

/** Whether the database had all of this code's migrations when this isolate last checked. */
let isMigrated = false;

/**
 * Runs the queries and returns their rows. Checks for a missing migration in an isolate's first batch, and in a batch
 * that fails because a table, column or index is missing. Throws `OutdatedSchema` if a migration is missing.
 */
async function rowsFor(db: D1Database, queries: readonly Query<unknown>[]): Promise<RawRow[][]> {
  if (withOwnMigrations.has(db)) return rowsOnAnySchema(db, queries);
  if (isMigrated) return rowsOnAnySchema(db, queries).catch((error) => explain(db, error));
  const withCheck = [...queries, { ...missingMigration, read: () => null }];
  const found = await rowsOnAnySchema(db, withCheck).catch((error) => explain(db, error));
  const missing = found.pop()?.[0]?.name;
  if (missing !== undefined) throw missingMigrationError(String(missing));
  isMigrated = true;
  return found;
}

async function explain(db: D1Database, error: unknown): Promise<never> {
  if (!isSchemaError(error)) throw error;
  isMigrated = false;
  const missing = await firstMissing(db);
  throw missing === null ? damagedSchemaError(error) : missingMigrationError(missing);
}

/** Returns the first migration that the database lacks; null if all were applied. */
export async function firstMissing(db: D1Database): Promise<string | null> {
  const query = { ...missingMigration, read: (rows: readonly RawRow[]) => rows[0]?.name };
  try {
    const name = await runOnAnySchema(db, query);
    return name === undefined ? null : String(name);
  } catch (error) {
    if (lacksMigrationsTable(error)) return String(migrations[0]);
    throw error;
  }
}

async function rowsOnAnySchema(db: D1Database, queries: readonly Query<unknown>[]): Promise<RawRow[][]> {
  const runBatch = () =>
    d1Span(
      orUnavailable(
        timeLimitMs,
        db.batch<RawRow>(queries.map(({ sql, params }) => db.prepare(sql).bind(...params))),
      ),
    );
  const responses = await runBatch().catch(async (error) => {
    if (!isMomentary(error) || !areSafeToRetry(queries)) throw error;
    await scheduler.wait(pauseMs);
    return runBatch();
  });
  return responses.map(({ results }) => results);
}

/** Runs one query on a database that may lack migrations. */
export async function runOnAnySchema<T>(db: D1Database, query: Query<T>): Promise<T> {
  const [found = []] = await rowsOnAnySchema(db, [query]);
  return query.read(found);
}

const isMomentary = (error: unknown) => error instanceof Unavailable && error.fault === "momentary";

const areSafeToRetry = (queries: readonly Query<unknown>[]): boolean =>
  queries.some(({ isSafeToRetry }) => isSafeToRetry) || queries.every(({ sql }) => /^select\b/i.test(sql));

export async function run<T>(db: D1Database, query: Query<T>): Promise<T> {
  const [answer] = await batch(db, [query]);
  return answer;
}

/** Applies `transform` to a query's result. */
export const mapped = <A, B>(query: Query<A>, transform: (answer: A) => B): Query<B> => ({
  ...query,
  read: (rows) => transform(query.read(rows)),
});

/** A query for decisions that need only the principal. */
export const noQuery: Query<null> = { sql: "SELECT NULL", params: [], read: () => null };

/** Runs queries in one transaction and returns the last one's result. The other results are not read. */
export async function runLast<T>(
  db: D1Database,
  queries: readonly [...Query<unknown>[], Query<T>],
): Promise<T> {
  const found = await rowsFor(db, queries);
  // The cast is safe: the last query has this type.
  return (queries.at(-1) as Query<T>).read(found.at(-1) ?? []);
}

/** Requires a query's row, which the same batch wrote or read. A missing row is a bug. */
export const required = <T>(query: Query<T | null | undefined>): Query<T> =>
  mapped(query, (answer) => {
    if (answer === null || answer === undefined) throw new Error("a row that was just written was not found");
    return answer;
  });
