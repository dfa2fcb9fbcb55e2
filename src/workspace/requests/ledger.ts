import { and, asc, eq, gt, is, lt, SQL, sql } from "drizzle-orm";
import { build, insertSelect, named, type Placeholders, prepared, row, statement } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { isIn } from "../../db/is-in.ts";
import { mapped, type Query, required } from "../../db/query.ts";
import { sha256Hex } from "../../platform/digest.ts";
import { webhookDeliveries as deliveries } from "../events/tables.ts";
import { isLiveToken } from "../tokens/organization-of.ts";
import { apiTokens } from "../tokens/tables.ts";
import { requests } from "./tables.ts";

/**
 * The ledger: one line for each request that changed something, whichever door it came through. The line is written in
 * the transaction of the work, so that it stands exactly if the work is done, and a second one with its key stops its
 * transaction whole.
 */

/** What identifies a request in its organization. */
export interface RequestIdentity {
  organizationId: string;
  /** With a prefix for each kind, by `ledgerKeys`. */
  key: string;
  /** SHA-256 of what makes two requests the same request. */
  fingerprint: string;
  requestId: string;
  /** The id of the token or the member who asked; `client` for a visitor of a review. */
  actor: string;
}

export const ledgerKeys = {
  idempotencyKey: (key: string) => `key:${key}`,
  /** A request without a key of its own. */
  request: (requestId: string) => `request:${requestId}`,
  settingsForm: (form: string) => `form:${form}`,
  /** Of an operation; each step of a long one has a line. */
  operation: (key: string, position?: string) =>
    `operation:${position === undefined ? "" : sha256Hex(position)}:${key}`,
  /** One page has several forms of one id. */
  reviewForm: (deliverableId: string, kind: string, form: string) =>
    `review:${deliverableId}:${kind}:${form}`,
} as const;

/** A line that a request writes. */
export interface NewLine extends RequestIdentity {
  /** What the audit log calls it: `client.created`. */
  action: string;
  subjectId: string;
  details?: Record<string, unknown> | undefined;
}

/** A line as a later request with its key finds it. */
export interface LedgerLine {
  fingerprint: string;
  /** Of the request that wrote it. */
  requestId: string;
  actor: string;
  subjectId: string;
  details: Record<string, unknown>;
  /** null: a mail is under way, or the answer was dropped since. */
  answer: string | null;
  secretEncrypted: string | null;
  /** When the lease of a mail that is under way ends; null: the work is done. */
  leaseEndsAt: string | null;
  createdAt: string;
}

/** An answer as its line keeps it, and whether webhooks of the organization are due, perhaps by this very work. */
export interface Recorded<T> {
  answer: T;
  hasDue: boolean;
}

const found = {
  fingerprint: requests.fingerprint,
  requestId: named(requests.request_id, "requestId"),
  actor: requests.actor,
  subjectId: named(requests.subject_id, "subjectId"),
  details: requests.details,
  answer: requests.answer,
  secretEncrypted: named(requests.secret_encrypted, "secretEncrypted"),
  leaseEndsAt: named(requests.lease_ends_at, "leaseEndsAt"),
  createdAt: named(requests.created_at, "createdAt"),
};

const keyed = (organizationId: string | SQL, key: string | SQL) =>
  and(sql`${requests.organization_id} = ${organizationId}`, sql`${requests.key} = ${key}`);

export const findLine = (organizationId: string | SQL, key: string): Query<LedgerLine | null> =>
  row(found, build.select(found).from(requests).where(keyed(organizationId, key)));

/** The same in the organization of a valid token, so that it travels with the principal. */
export const findLineOfToken = prepared((bind: Placeholders<{ tokenHash: string; key: string }>) => {
  const organization = sql`(SELECT ${apiTokens.organization_id} FROM ${apiTokens}
    WHERE ${apiTokens.token_hash} = ${bind.tokenHash} AND ${isLiveToken})`;
  return row(
    found,
    build
      .select(found)
      .from(requests)
      .where(keyed(organization, sql`${bind.key}`)),
  );
});

const isDue = (organizationId: SQL) => sql<number>`EXISTS (SELECT 1 FROM ${deliveries}
  WHERE ${deliveries.organization_id} = ${organizationId} AND ${deliveries.status} = 'pending'
  AND ${deliveries.next_attempt_at} <= ${now})`;

const kept = { answer: sql<string>`answer`.as("answer"), hasDue: sql<number>`0`.as("hasDue") };

type Bound = Omit<NewLine, "details"> & { details: string };

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

const bound = ({ details = {}, ...line }: NewLine): Bound => ({ ...line, details: JSON.stringify(details) });

const returning = (built: SQL, organizationId: SQL) =>
  required(row(kept, sql`${built} RETURNING answer, ${isDue(organizationId)} AS "hasDue"`));

/** A batch with the line of an Idempotency-Key may run again: the line that it finds has the answer. */
const repeatable = <T>(line: NewLine, query: Query<T>): Query<T> => ({
  ...query,
  isRepeatable: line.key.startsWith(ledgerKeys.idempotencyKey("")),
});

/** Writes the line of a finished request, with the answer that `from` finds as JSON, and reads it out of the line. */
export function recording<T>(json: SQL, from: (bind: Placeholders<Bound>) => SQL, read: (text: string) => T) {
  const record = prepared((bind: Placeholders<Bound>) =>
    returning(insertSelect(requests, columns(bind, json), from(bind)), sql`${bind.organizationId}`),
  );
  return (line: NewLine): Query<Recorded<T>> =>
    repeatable(
      line,
      mapped(record(bound(line)), ({ answer, hasDue }) => ({ answer: read(answer), hasDue: hasDue === 1 })),
    );
}

const recordText = prepared((bind: Placeholders<Bound & { answer: string }>) =>
  returning(insertSelect(requests, columns(bind, sql`${bind.answer}`), sql``), sql`${bind.organizationId}`),
);

/** The same with an answer that is known before the work. */
export const recordKnownAnswer = <T extends object>(line: NewLine, answer: T): Query<Recorded<T>> =>
  repeatable(
    line,
    mapped(recordText({ ...bound(line), answer: JSON.stringify(answer) }), ({ hasDue }) => ({
      answer,
      hasDue: hasDue === 1,
    })),
  );

/** An answer that is not known yet: a call that repeats the work reads it from the record. */
export const unread = "{}";

/** What the line of a form or an operation keeps, beside that its work is done. */
export interface Kept {
  /** Encrypted: what the answer shows and no record holds. */
  secret?: string | undefined;
  /** The answer, where it is known within the transaction; else it is read from the record. */
  answer?: object | SQL | undefined;
  /** A mail leaves next: until its lease ends, the work is under way. */
  leaseSeconds?: number | undefined;
}

const asAnswer = (answer: object | SQL): SQL => (is(answer, SQL) ? answer : sql`${JSON.stringify(answer)}`);

/** Writes the line of a form's or an operation's work, where the statement before it changed something. */
export const recordChange = (line: NewLine, { secret, answer, leaseSeconds }: Kept = {}): Query<void> =>
  statement(
    insertSelect(
      requests,
      {
        organization_id: line.organizationId,
        key: line.key,
        fingerprint: line.fingerprint,
        request_id: line.requestId,
        actor: line.actor,
        action: line.action,
        subject_id: line.subjectId,
        details: line.details ?? {},
        answer: leaseSeconds === undefined ? asAnswer(answer ?? {}) : null,
        secret_encrypted: secret,
        lease_ends_at: leaseSeconds === undefined ? undefined : nowWith(`+${leaseSeconds} seconds`),
      },
      sql`WHERE changes() > 0`,
    ),
  );

/**
 * Keeps the answer of an operation, unless another call with its key kept one before. Writes the line of one that
 * changed nothing, or may run again. The line that stands then has the answer for all of them.
 */
export const keepAnswer = (line: NewLine, answer: object) => {
  const { organizationId, key, fingerprint } = line;
  const text = JSON.stringify(answer);
  const isWanting = sql`(${requests.answer} = ${unread} OR ${isUnderWay})`;
  return [
    statement(
      build
        .update(requests)
        .set({ answer: text, lease_ends_at: null })
        .where(and(keyed(organizationId, key), eq(requests.fingerprint, fingerprint), isWanting)),
    ),
    statement(
      insertSelect(
        requests,
        {
          organization_id: organizationId,
          key,
          fingerprint,
          request_id: line.requestId,
          actor: line.actor,
          action: line.action,
          subject_id: line.subjectId,
          answer: text,
        },
        sql`WHERE NOT EXISTS (SELECT 1 FROM ${requests} WHERE ${keyed(organizationId, key)})`,
      ),
    ),
    required(findLine(organizationId, key)),
  ] as const;
};

/** Keeps an answer that grows in rounds, each in the transaction of its round. */
export const updateAnswer = ({ organizationId, key }: LineKey, answer: object): Query<void> =>
  statement(
    build
      .update(requests)
      .set({ answer: JSON.stringify(answer) })
      .where(keyed(organizationId, key)),
  );

const isUnderWay = sql`${requests.answer} IS NULL AND ${requests.lease_ends_at} IS NOT NULL`;

/**
 * Writes the line of a request whose mail leaves next, where the statement before it changed something. `takeOver`
 * goes before that statement: it removes the line of an attempt whose lease has ended.
 */
export const beginMail = (line: NewLine, leaseSeconds: number) => ({
  takeOver: takeOver(line),
  begin: recordChange(line, { leaseSeconds }),
});

/** Removes the line of an attempt to mail whose lease has ended. */
export const takeOver = ({ organizationId, key, fingerprint }: RequestIdentity): Query<void> =>
  statement(
    build
      .delete(requests)
      .where(
        and(
          keyed(organizationId, key),
          eq(requests.fingerprint, fingerprint),
          sql`${isUnderWay} AND ${requests.lease_ends_at} <= ${now}`,
        ),
      ),
  );

type LineKey = Pick<RequestIdentity, "organizationId" | "key">;

/** Gives the key of a mail that did not go out back. */
export const takeBack = ({ organizationId, key, requestId }: LineKey & { requestId: string }): Query<void> =>
  statement(
    build
      .delete(requests)
      .where(and(keyed(organizationId, key), eq(requests.request_id, requestId), isUnderWay)),
  );

/** Keeps the answer of a mail that went out: of any attempt, since the mail is what counts. */
export const finishMail = ({ organizationId, key }: LineKey, answer: SQL): Query<void> =>
  statement(
    build
      .update(requests)
      .set({ answer, lease_ends_at: null })
      .where(and(keyed(organizationId, key), isUnderWay)),
  );

/** The lines that go once they are old; those of tokens stay, since they tell what a token did. */
const isOfFormOrOperation = sql`(${requests.key} GLOB 'form:*' OR ${requests.key} GLOB 'review:*'
  OR ${requests.key} GLOB 'operation:*')`;

/** Forgets a form that was sent longer ago than a second press is: sent again, it does its work again. */
export const forgetOld = ({ organizationId, key }: LineKey, seconds: number): Query<void> =>
  statement(
    build
      .delete(requests)
      .where(and(keyed(organizationId, key), lt(requests.created_at, nowWith(`-${seconds} seconds`)))),
  );

/** Removes a line whose work was undone. */
export const removeLine = ({ organizationId, key }: LineKey): Query<void> =>
  statement(build.delete(requests).where(keyed(organizationId, key)));

/**
 * Drops the answers that hold a text from one stretch of an organization's lines, behind a key. Answers the last key of
 * the stretch; null: there is no line behind it.
 */
export const dropAnswersWith = (organizationId: string, text: string, behind: string, lines: number) => {
  const stretch = build
    .select({ key: requests.key })
    .from(requests)
    .where(and(eq(requests.organization_id, organizationId), gt(requests.key, behind)))
    .orderBy(asc(requests.key))
    .limit(lines);
  const holding = and(
    eq(requests.organization_id, organizationId),
    isIn(requests.key, stretch),
    sql`instr(${requests.answer}, ${text}) > 0`,
  );
  const last = { key: sql<string | null>`max(key)`.as("key") };
  return [
    // A line without an answer stays for ever; these go when they are old.
    statement(
      build
        .update(requests)
        .set({ answer: sql`iif(${isOfFormOrOperation}, ${unread}, NULL)` })
        .where(holding),
    ),
    mapped(row(last, sql`SELECT max(key) AS key FROM (${stretch})`), (found) => found?.key ?? null),
  ] as const;
};

/**
 * The oldest answers past their days: a token's line stays without its answer, since it tells what the token did; a
 * form's or an operation's line goes. `count` answers how many there are.
 */
export function purgeAnswers(days: number, lines: number) {
  const old = sql`SELECT organization_id, key FROM ${requests} WHERE ${requests.answer} IS NOT NULL
    AND ${requests.created_at} < ${nowWith(`-${days} days`)} ORDER BY ${requests.created_at} LIMIT ${lines}`;
  const isOld = sql`(organization_id, key) IN (${old})`;
  const count = { lines: sql<number>`count(*)`.as("lines") };
  return {
    count: mapped(row(count, sql`SELECT count(*) AS lines FROM (${old})`), (found) => found?.lines ?? 0),
    drop: [
      statement(sql`DELETE FROM ${requests} WHERE ${isOld} AND ${isOfFormOrOperation}`),
      statement(sql`UPDATE ${requests} SET answer = NULL WHERE ${isOld}`),
    ],
  };
}

export const dropSecrets = (seconds: number): Query<void> =>
  statement(sql`UPDATE ${requests} SET secret_encrypted = NULL WHERE ${requests.secret_encrypted} IS NOT NULL
    AND ${requests.created_at} < ${nowWith(`-${seconds} seconds`)}`);
