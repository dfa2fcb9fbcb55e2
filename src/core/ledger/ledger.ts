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
 * The ledger has one entry for each request that changed something, through any entry point. A request writes its entry
 * in the same transaction as its changes, so the entry exists if and only if the changes do. A second entry with the
 * same key aborts its transaction.
 */

/** A request's identity within its organization. */
export interface RequestIdentity {
  organizationId: string;
  /** Built by `ledgerKeys`, which adds the kind as a prefix. */
  key: string;
  /** SHA-256 of everything that must be equal for a request to count as a repeat. */
  fingerprint: string;
  requestId: string;
  /** The id of the calling token or member; `client` for a visitor to a review, `minute` for a reminder. */
  actor: string;
}

export const ledgerKeys = {
  idempotencyKey: (key: string) => `key:${key}`,
  /** A request without an Idempotency-Key. */
  request: (requestId: string) => `request:${requestId}`,
  settingsForm: (form: string) => `form:${form}`,
  /** Each step of a long operation has its own entry. */
  operation: (key: string, position?: string) =>
    `operation:${position === undefined ? "" : sha256Hex(position)}:${key}`,
  /** A page can have several forms with the same id, so the key includes the kind. */
  reviewForm: (deliverableId: string, kind: string, form: string) =>
    `review:${deliverableId}:${kind}:${form}`,
} as const;

export interface NewEntry extends RequestIdentity {
  /** The name in the audit log, such as `client.created`. */
  action: string;
  subjectId: string;
  details?: Record<string, unknown> | undefined;
}

/** An entry, as read by a later request with the same key. */
export interface LedgerEntry {
  fingerprint: string;
  /** The request that wrote the entry. */
  requestId: string;
  actor: string;
  subjectId: string;
  details: Record<string, unknown>;
  /** Null while an e-mail is being sent, and after the response has been purged. */
  answer: string | null;
  secretEncrypted: string | null;
  /** When the lease for sending the e-mail ends. Null once the work is done. */
  leaseEndsAt: string | null;
  createdAt: string;
}

/** The stored response, and whether the organization has due webhook deliveries, perhaps from this request. */
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

export const byKey = (organizationId: string | SQL, key: string | SQL) =>
  and(sql`${ledger.organization_id} = ${organizationId}`, sql`${ledger.key} = ${key}`);

export const findEntry = (organizationId: string | SQL, key: string): Query<LedgerEntry | null> =>
  row(found, build.select(found).from(ledger).where(byKey(organizationId, key)));

/** Finds an entry in a valid token's organization, so that it can be read in the same batch as the principal. */
export const findEntryOfToken = prepared((bind: Placeholders<{ tokenHash: string; key: string }>) => {
  const organization = sql`(SELECT ${apiTokens.organization_id} FROM ${apiTokens}
    WHERE ${apiTokens.token_hash} = ${bind.tokenHash} AND ${isLiveToken})`;
  return row(
    found,
    build
      .select(found)
      .from(ledger)
      .where(byKey(organization, sql`${bind.key}`)),
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

/** Marks a batch that writes an Idempotency-Key's entry as safe to retry: if the entry exists, it has the response. */
const safeToRetry = <T>(entry: NewEntry, query: Query<T>): Query<T> => ({
  ...query,
  isSafeToRetry: entry.key.startsWith(ledgerKeys.idempotencyKey("")),
});

/** Builds the query that writes the entry for a finished request. `json` selects the response from `from`. */
export function recorder<T>(json: SQL, from: (bind: Placeholders<Bound>) => SQL, read: (text: string) => T) {
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

/** Writes the entry for a finished request whose response is known before the work is done. */
export const recordKnownAnswer = <T extends object>(entry: NewEntry, answer: T): Query<Recorded<T>> =>
  safeToRetry(
    entry,
    mapped(recordText({ ...bound(entry), answer: JSON.stringify(answer) }), ({ hasDueDeliveries }) => ({
      answer,
      hasDueDeliveries: hasDueDeliveries === 1,
    })),
  );

/** A placeholder for a response that is not stored. A repeated call reads the record instead. */
export const answerPlaceholder = "{}";

/** Optional contents of the entry for a form or an operation. */
export interface EntryContents {
  /** The secret in the response. It is stored encrypted, because records do not contain it. */
  secret?: string | undefined;
  /** The response, if it is known within the transaction. Otherwise it is read from the record. */
  answer?: object | SQL | undefined;
  /** Set if an e-mail is sent next. The work counts as unfinished until the e-mail is sent or this lease ends. */
  leaseSeconds?: number | undefined;
}

const asAnswer = (answer: object | SQL): SQL => (is(answer, SQL) ? answer : sql`${JSON.stringify(answer)}`);

/** Writes the entry for a form or an operation if the preceding statement changed a row. */
export const recordChange = (
  entry: NewEntry,
  { secret, answer, leaseSeconds }: EntryContents = {},
): Query<void> =>
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
 * Stores an operation's result and returns it. If another call with the same key stored a result first, returns that
 * result instead. Inserts the entry if there is none, because the operation changed nothing or can run again.
 */
export const saveAnswer = (entry: NewEntry, answer: object) => {
  const { organizationId, key, fingerprint } = entry;
  const text = JSON.stringify(answer);
  const isUnanswered = sql`(${ledger.answer} = ${answerPlaceholder} OR ${isUnderWay})`;
  return [
    statement(
      build
        .update(ledger)
        .set({ answer: text, lease_ends_at: null })
        .where(and(byKey(organizationId, key), eq(ledger.fingerprint, fingerprint), isUnanswered)),
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
        sql`WHERE NOT EXISTS (SELECT 1 FROM ${ledger} WHERE ${byKey(organizationId, key)})`,
      ),
    ),
    required(findEntry(organizationId, key)),
  ] as const;
};

/** Updates the result of an operation that runs in rounds. Must run in the same transaction as each round. */
export const updateAnswer = ({ organizationId, key }: EntryKey, answer: object): Query<void> =>
  statement(
    build
      .update(ledger)
      .set({ answer: JSON.stringify(answer) })
      .where(byKey(organizationId, key)),
  );

const isUnderWay = sql`${ledger.answer} IS NULL AND ${ledger.lease_ends_at} IS NOT NULL`;

/**
 * Begins a request that sends an e-mail. `begin` writes the entry if the preceding statement changed a row.
 * `dropExpired` must run before that statement.
 */
export const beginMail = (entry: NewEntry, leaseSeconds: number) => ({
  dropExpired: dropExpired(entry),
  begin: recordChange(entry, { leaseSeconds }),
});

/** Removes an earlier attempt's entry if its e-mail lease ended before it finished. */
export const dropExpired = ({ organizationId, key, fingerprint }: RequestIdentity): Query<void> =>
  statement(
    build
      .delete(ledger)
      .where(
        and(
          byKey(organizationId, key),
          eq(ledger.fingerprint, fingerprint),
          sql`${isUnderWay} AND ${ledger.lease_ends_at} <= ${now}`,
        ),
      ),
  );

export type EntryKey = Pick<RequestIdentity, "organizationId" | "key">;

/** Releases the key after an e-mail was not sent. */
export const cancelMail = ({
  organizationId,
  key,
  requestId,
}: EntryKey & { requestId: string }): Query<void> =>
  statement(
    build.delete(ledger).where(and(byKey(organizationId, key), eq(ledger.request_id, requestId), isUnderWay)),
  );

/** Stores the response once the e-mail has been sent, whichever attempt sent it. */
export const finishMail = ({ organizationId, key }: EntryKey, answer: SQL): Query<void> =>
  statement(
    build
      .update(ledger)
      .set({ answer, lease_ends_at: null })
      .where(and(byKey(organizationId, key), isUnderWay)),
  );

/** Removes the entry for work that was rolled back. */
export const removeEntry = ({ organizationId, key }: EntryKey): Query<void> =>
  statement(build.delete(ledger).where(byKey(organizationId, key)));
