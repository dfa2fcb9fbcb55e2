import { and, asc, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import { build, row, statement } from "../../db/build.ts";
import { nowWith } from "../../db/columns.ts";
import { notFenced } from "../../db/fencing.ts";
import { isIn } from "../../db/is-in.ts";
import { mapped, type Query } from "../../db/query.ts";
import { answerPlaceholder, byKey, type EntryKey } from "./ledger.ts";
import { ledger } from "./tables.ts";

/** Deletes old form entries, responses about erased clients, and old responses and secrets from the ledger. */

/** Deletes a form's entry once it is too old for a double click, so that the form can be submitted again. */
export const forgetOldForm = ({ organizationId, key }: EntryKey, seconds: number): Query<void> =>
  statement(
    build
      .delete(ledger)
      .where(and(byKey(organizationId, key), lt(ledger.created_at, nowWith(`-${seconds} seconds`)))),
  );

/** Entries that are deleted when they expire. A token's entries are kept as a record of what the token did. */
const isTemporary = sql`(${ledger.key} GLOB 'form:*' OR ${ledger.key} GLOB 'review:*'
  OR ${ledger.key} GLOB 'operation:*' OR ${ledger.key} GLOB 'reminder:*')`;

/**
 * Drops the responses that contain `text` from the organization's next `entries` entries after the key `after`. Returns
 * the last key scanned; null if there are no more entries.
 */
export const dropAnswersWith = (organizationId: string, text: string, after: string, entries: number) => {
  const stretch = build
    .select({ key: ledger.key })
    .from(ledger)
    .where(and(eq(ledger.organization_id, organizationId), gt(ledger.key, after)))
    .orderBy(asc(ledger.key))
    .limit(entries);
  const holding = and(
    eq(ledger.organization_id, organizationId),
    isIn(ledger.key, stretch),
    sql`instr(${ledger.answer}, ${text}) > 0`,
  );
  const last = { key: sql<string | null>`max(key)`.as("key") };
  return [
    // A temporary entry gets a placeholder, because without a response it would count as unfinished.
    statement(
      build
        .update(ledger)
        .set({ answer: sql`iif(${isTemporary}, ${answerPlaceholder}, NULL)` })
        .where(holding),
    ),
    mapped(row(last, sql`SELECT max(key) AS key FROM (${stretch})`), (found) => found?.key ?? null),
  ] as const;
};

/**
 * Purges expired entries. A token's entry stays without its response, as a record of what the token did. An entry for a
 * form or an operation is deleted, even if its work was never finished, for example because of a crash. `count` counts
 * what `drop` will purge.
 */
export function purgeEntries(days: number, entries: number) {
  const oldest = (which: SQL) => sql`SELECT * FROM (SELECT organization_id, key FROM ${ledger} WHERE ${which}
    AND ${ledger.created_at} < ${nowWith(`-${days} days`)} AND ${notFenced(ledger.organization_id)}
    ORDER BY ${ledger.created_at} LIMIT ${entries})`;
  const old = sql`${oldest(sql`${ledger.answer} IS NOT NULL`)}
    UNION ALL ${oldest(sql`${ledger.answer} IS NULL AND ${isTemporary}`)} LIMIT ${entries}`;
  const isOld = sql`(organization_id, key) IN (${old})`;
  const count = { entries: sql<number>`count(*)`.as("entries") };
  return {
    count: mapped(row(count, sql`SELECT count(*) AS entries FROM (${old})`), (found) => found?.entries ?? 0),
    drop: [
      statement(sql`DELETE FROM ${ledger} WHERE ${isOld} AND ${isTemporary}`),
      statement(sql`UPDATE ${ledger} SET answer = NULL WHERE ${isOld}`),
    ],
  };
}

export const dropSecrets = (seconds: number): Query<void> =>
  statement(sql`UPDATE ${ledger} SET secret_encrypted = NULL WHERE ${ledger.secret_encrypted} IS NOT NULL
    AND ${ledger.created_at} < ${nowWith(`-${seconds} seconds`)}`);
