import { eq, sql } from "drizzle-orm";
import { build, insertSelect, named, row, statement } from "../../db/build.ts";
import { nowWith } from "../../db/columns.ts";
import { mapped, type Query, required } from "../../db/query.ts";
import { answerPlaceholder, type LedgerEntry, type RequestIdentity } from "./ledger.ts";
import { serviceRequests as table } from "./tables.ts";

/**
 * The service's own ledger, for operations outside any workspace, and for erasing a workspace, which also deletes the
 * workspace's ledger.
 */

export type ServiceRequest = Pick<RequestIdentity, "key" | "fingerprint" | "requestId">;

const found = {
  fingerprint: table.fingerprint,
  requestId: named(table.request_id, "requestId"),
  subjectId: named(table.subject_id, "subjectId"),
  answer: table.answer,
  createdAt: named(table.created_at, "createdAt"),
};

const noSecret = { actor: "", details: {}, secretEncrypted: null, leaseEndsAt: null };

export const findServiceEntry = (key: string): Query<LedgerEntry | null> =>
  mapped(
    row(found, build.select(found).from(table).where(eq(table.key, key))),
    (entry) => entry && { ...entry, ...noSecret },
  );

const insert = ({ key, fingerprint, requestId }: ServiceRequest, subjectId: string, answer: string) =>
  insertSelect(
    table,
    { key, fingerprint, request_id: requestId, subject_id: subjectId, answer },
    sql`WHERE true`,
  );

/**
 * Writes the entry. Must run in the same batch as the work, because a second entry with the same key aborts the batch.
 */
export const recordInService = (request: ServiceRequest | undefined, subjectId: string): Query<void>[] =>
  request ? [statement(insert(request, subjectId, answerPlaceholder))] : [];

/**
 * Stores a result and returns it. If another call with the same key stored a result first, returns that result instead.
 */
export const saveServiceAnswer = (request: ServiceRequest, subjectId: string, answer: object) => {
  const text = JSON.stringify(answer);
  const isUnanswered = sql`${table.fingerprint} = excluded.fingerprint AND ${table.answer} = ${answerPlaceholder}`;
  return [
    statement(
      sql`${insert(request, subjectId, text)}
        ON CONFLICT (key) DO UPDATE SET answer = excluded.answer WHERE ${isUnanswered}`,
    ),
    required(findServiceEntry(request.key)),
  ] as const;
};

export const purgeServiceEntries = (days: number, entries: number): Query<void> =>
  statement(sql`DELETE FROM ${table} WHERE key IN (SELECT key FROM ${table}
    WHERE ${table.created_at} < ${nowWith(`-${days} days`)} ORDER BY ${table.created_at} LIMIT ${entries})`);
