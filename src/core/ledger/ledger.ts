import { and, eq, is, SQL, sql } from "drizzle-orm";
import { build, insertSelect, named, type Placeholders, prepared, row, statement } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { mapped, type Query, required } from "../../db/query.ts";
import { sha256Hex } from "../../platform/digest.ts";
import { isLiveToken } from "../../workspace/tokens/organization-of.ts";
import { apiTokens } from "../../workspace/tokens/tables.ts";
import { webhookDeliveries as deliveries } from "../events/tables.ts";
import { ledger } from "./tables.ts";

/**
 * The ledger: one entry for each request that changed something, through any entry point. The entry is written
 * in the work's transaction, so it exists exactly if the work was done, and a second entry with the same key
 * aborts its whole transaction.
 */

/** What identifies a request in its organization. */
export interface RequestIdentity {
  organizationId: string;
  /** Prefixed with its kind by `ledgerKeys`. */
  key: string;
  /** SHA-256 of what makes two requests the same request. */
  fingerprint: string;
  requestId: string;
  /** The id of the calling token or member; `client` for a visitor of a review, `minute` for a reminder. */
  actor: string;
}

export const ledgerKeys = {
  idempotencyKey: (key: string) => `key:${key}`,
  /** A request without an Idempotency-Key. */
  request: (requestId: string) => `request:${requestId}`,
  settingsForm: (form: string) => `form:${form}`,
  /** An operation; each step of a long one has its own entry. */
  operation: (key: string, position?: string) =>
    `operation:${position === undefined ? "" : sha256Hex(position)}:${key}`,
  /** A page can have several forms with one id. */
  reviewForm: (deliverableId: string, kind: string, form: string) =>
    `review:${deliverableId}:${kind}:${form}`,
} as const;

/** The entry that a request writes. */
export interface NewEntry extends RequestIdentity {
  /** Its name in the audit log: `client.created`. */
  action: string;
  subjectId: string;
  details?: Record<string, unknown> | undefined;
}

/** An entry as a later request with the same key finds it. */
export interface LedgerEntry {
  fingerprint: string;
  /** The request that wrote the entry. */
  requestId: string;
  actor: string;
  subjectId: string;
  details: Record<string, unknown>;
  /** null: an e-mail is being sent, or the response has been dropped. */
  answer: string | null;
  secretEncrypted: string | null;
  /** When the lease of the e-mail being sent ends; null: the work is done. */
  leaseEndsAt: string | null;
  createdAt: string;
}

/** A response as its entry keeps it, and whether the organization has due webhooks, perhaps because of this work. */
export interface Recorded<T> {
  answer: T;
  hasDueDeliveries: boolean;
}

const found = {
  fingerprint: ledger.fingerprint,
  requestId: named(ledger.request_id, "requestId"),
  actor: ledger.actor,
  subjectId: named(ledger.subject_id, "subjectId"),
  details: ledger.details,
  answer: ledger.answer,
  secretEncrypted: named(ledger.secret_encrypted, "secretEncrypted"),
  leaseEndsAt: named(ledger.lease_ends_at, "leaseEndsAt"),
  createdAt: named(ledger.created_at, "createdAt"),
};

export const keyed = (organizationId: string | SQL, key: string | SQL) =>
  and(sql`${ledger.organization_id} = ${organizationId}`, sql`${ledger.key} = ${key}`);

export const findEntry = (organizationId: string | SQL, key: string): Query<LedgerEntry | null> =>
  row(found, build.select(found).from(ledger).where(keyed(organizationId, key)));

/** The same for the organization of a valid token, read together with the principal. */
export const findEntryOfToken = prepared((bind: Placeholders<{ tokenHash: string; key: string }>) => {
  const organization = sql`(SELECT ${apiTokens.organization_id} FROM ${apiTokens}
    WHERE ${apiTokens.token_hash} = ${bind.tokenHash} AND ${isLiveToken})`;
  return row(
    found,
    build
      .select(found)
      .from(ledger)
      .where(keyed(organization, sql`${bind.key}`)),
  );
});

const isDue = (organizationId: SQL) => sql<number>`EXISTS (SELECT 1 FROM ${deliveries}
  WHERE ${deliveries.organization_id} = ${organizationId} AND ${deliveries.status} = 'pending'
  AND ${deliveries.next_attempt_at} <= ${now})`;

const kept = {
  answer: sql<string>`answer`.as("answer"),
  hasDueDeliveries: sql<number>`0`.as("hasDueDeliveries"),
};

type Bound = Omit<NewEntry, "details"> & { details: string };

const columns = (bind: Placeholders<Bound>, answer: SQL) => ({
  organization_id: sql`${bind.organizationId}`,
  key: sql`${bind.key}`,
  fingerprint: sql`${bind.fingerprint}`,
  request_id: sql`${bind.requestId}`,
  actor: sql`${bind.actor}`,
  action: sql`${bind.action}`,
  subject_id: sql`${bind.subjectId}`,
  details: sql`${bind.details}`,
  answer,
});

const bound = ({ details = {}, ...entry }: NewEntry): Bound => ({
  ...entry,
  details: JSON.stringify(details),
});

const returning = (built: SQL, organizationId: SQL) =>
  required(row(kept, sql`${built} RETURNING answer, ${isDue(organizationId)} AS "hasDueDeliveries"`));

/** A batch that writes an Idempotency-Key's entry may run again: the existing entry then has the response. */
const safeToRetry = <T>(entry: NewEntry, query: Query<T>): Query<T> => ({
  ...query,
  isSafeToRetry: entry.key.startsWith(ledgerKeys.idempotencyKey("")),
});

/** Writes the entry of a finished request with the response that `from` builds as JSON, and returns the entry. */
export function recording<T>(json: SQL, from: (bind: Placeholders<Bound>) => SQL, read: (text: string) => T) {
  const record = prepared((bind: Placeholders<Bound>) =>
    returning(insertSelect(ledger, columns(bind, json), from(bind)), sql`${bind.organizationId}`),
  );
  return (entry: NewEntry): Query<Recorded<T>> =>
    safeToRetry(
      entry,
      mapped(record(bound(entry)), ({ answer, hasDueDeliveries }) => ({
        answer: read(answer),
        hasDueDeliveries: hasDueDeliveries === 1,
      })),
    );
}

const recordText = prepared((bind: Placeholders<Bound & { answer: string }>) =>
  returning(insertSelect(ledger, columns(bind, sql`${bind.answer}`), sql``), sql`${bind.organizationId}`),
);

/** The same for a response that is known before the work. */
export const recordKnownAnswer = <T extends object>(entry: NewEntry, answer: T): Query<Recorded<T>> =>
  safeToRetry(
    entry,
    mapped(recordText({ ...bound(entry), answer: JSON.stringify(answer) }), ({ hasDueDeliveries }) => ({
      answer,
      hasDueDeliveries: hasDueDeliveries === 1,
    })),
  );

/** A response that is not known yet: a repeated call reads it from the record. */
export const unread = "{}";

/** What the entry of a form or an operation stores besides the fact that its work is done. */
export interface Kept {
  /** The part of the response that no record holds, encrypted. */
  secret?: string | undefined;
  /** The response, if it is known within the transaction; otherwise it is read from the record. */
  answer?: object | SQL | undefined;
  /** An e-mail is sent next; the work counts as unfinished until the e-mail's lease ends. */
  leaseSeconds?: number | undefined;
}

const asAnswer = (answer: object | SQL): SQL => (is(answer, SQL) ? answer : sql`${JSON.stringify(answer)}`);

/** Writes the entry of a form's or an operation's work, if the preceding statement changed something. */
export const recordChange = (entry: NewEntry, { secret, answer, leaseSeconds }: Kept = {}): Query<void> =>
  statement(
    insertSelect(
      ledger,
      {
        organization_id: entry.organizationId,
        key: entry.key,
        fingerprint: entry.fingerprint,
        request_id: entry.requestId,
        actor: entry.actor,
        action: entry.action,
        subject_id: entry.subjectId,
        details: entry.details ?? {},
        answer: leaseSeconds === undefined ? asAnswer(answer ?? {}) : null,
        secret_encrypted: secret,
        lease_ends_at: leaseSeconds === undefined ? undefined : nowWith(`+${leaseSeconds} seconds`),
      },
      sql`WHERE changes() > 0`,
    ),
  );

/**
 * Stores an operation's result, unless another call with its key already did; also writes the entry of an
 * operation that changed nothing or may run again. All of these calls then return the stored result.
 */
export const keepAnswer = (entry: NewEntry, answer: object) => {
  const { organizationId, key, fingerprint } = entry;
  const text = JSON.stringify(answer);
  const isWanting = sql`(${ledger.answer} = ${unread} OR ${isUnderWay})`;
  return [
    statement(
      build
        .update(ledger)
        .set({ answer: text, lease_ends_at: null })
        .where(and(keyed(organizationId, key), eq(ledger.fingerprint, fingerprint), isWanting)),
    ),
    statement(
      insertSelect(
        ledger,
        {
          organization_id: organizationId,
          key,
          fingerprint,
          request_id: entry.requestId,
          actor: entry.actor,
          action: entry.action,
          subject_id: entry.subjectId,
          answer: text,
        },
        sql`WHERE NOT EXISTS (SELECT 1 FROM ${ledger} WHERE ${keyed(organizationId, key)})`,
      ),
    ),
    required(findEntry(organizationId, key)),
  ] as const;
};

/** Stores a result that grows in rounds, in each round's transaction. */
export const updateAnswer = ({ organizationId, key }: EntryKey, answer: object): Query<void> =>
  statement(
    build
      .update(ledger)
      .set({ answer: JSON.stringify(answer) })
      .where(keyed(organizationId, key)),
  );

const isUnderWay = sql`${ledger.answer} IS NULL AND ${ledger.lease_ends_at} IS NOT NULL`;

/**
 * Writes the entry of a request whose e-mail is sent next, if the preceding statement changed something.
 * `dropExpired` runs before that statement: it removes the entry of an attempt whose lease has ended.
 */
export const beginMail = (entry: NewEntry, leaseSeconds: number) => ({
  dropExpired: dropExpired(entry),
  begin: recordChange(entry, { leaseSeconds }),
});

/** Removes the entry of an attempt whose e-mail lease has ended. */
export const dropExpired = ({ organizationId, key, fingerprint }: RequestIdentity): Query<void> =>
  statement(
    build
      .delete(ledger)
      .where(
        and(
          keyed(organizationId, key),
          eq(ledger.fingerprint, fingerprint),
          sql`${isUnderWay} AND ${ledger.lease_ends_at} <= ${now}`,
        ),
      ),
  );

export type EntryKey = Pick<RequestIdentity, "organizationId" | "key">;

/** Releases the key of an e-mail that was not sent. */
export const cancelMail = ({
  organizationId,
  key,
  requestId,
}: EntryKey & { requestId: string }): Query<void> =>
  statement(
    build.delete(ledger).where(and(keyed(organizationId, key), eq(ledger.request_id, requestId), isUnderWay)),
  );

/** Stores the response of a sent e-mail, whichever attempt sent it: what counts is that it was sent. */
export const finishMail = ({ organizationId, key }: EntryKey, answer: SQL): Query<void> =>
  statement(
    build
      .update(ledger)
      .set({ answer, lease_ends_at: null })
      .where(and(keyed(organizationId, key), isUnderWay)),
  );

/** Removes the entry of work that was undone. */
export const removeEntry = ({ organizationId, key }: EntryKey): Query<void> =>
  statement(build.delete(ledger).where(keyed(organizationId, key)));
