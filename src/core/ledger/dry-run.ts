import { sql } from "drizzle-orm";
import { statement } from "../../db/build.ts";
import { withWrites } from "../../db/writing.ts";
import type { RequestIdentity } from "./ledger.ts";
import { ledger } from "./tables.ts";

/**
 * Wraps the database for a dry run. Every batch of writes ends with a statement that aborts the transaction
 * (guards.ts), so that all constraints and triggers run but nothing is saved. The error message contains the response
 * from the request's ledger entry, which becomes the result of the last statement. Reads run as usual.
 */
export const dryRunDatabase = (
  db: D1Database,
  entry: Pick<RequestIdentity, "organizationId" | "key">,
): D1Database =>
  withWrites(db, async (statements) => {
    const answer = await refusedAnswer(db, [...statements, abortWithAnswer(db, entry)]);
    const last = answer === "null" ? [] : [{ answer, hasDueDeliveries: 0 }];
    return statements.map((_, index) => ({ results: index === statements.length - 1 ? last : [] }));
  });

function abortWithAnswer(
  db: D1Database,
  { organizationId, key }: Pick<RequestIdentity, "organizationId" | "key">,
): D1PreparedStatement {
  const answer = sql`(SELECT ${ledger.answer} FROM ${ledger}
    WHERE ${ledger.organization_id} = ${organizationId} AND ${ledger.key} = ${key})`;
  // JSON contains no raw line break, so the line break separates the response from D1's own text.
  const message = sql`'dry_run ' || coalesce(${answer}, 'null') || char(10)`;
  const { sql: text, params } = statement(sql`INSERT INTO dry_runs (told) VALUES (${message})`);
  return db.prepare(text).bind(...params);
}

/** Runs a transaction that ends with `abortWithAnswer`, and returns the response from its error. Rethrows others. */
async function refusedAnswer(db: D1Database, statements: D1PreparedStatement[]): Promise<string> {
  try {
    await db.batch(statements);
  } catch (error) {
    // A text can contain U+2028 and U+2029, which `.` does not match.
    const answer = /\bdry_run ([^\n]*)\n/.exec(String(error))?.[1];
    if (answer === undefined) throw error;
    return answer;
  }
  throw new Error("a dry run was kept");
}
