import { limits } from "../contract/limits.ts";
import { Refusal, refuse } from "../contract/refusal.ts";
import {
  answerPlaceholder,
  findEntry,
  type LedgerEntry,
  type RequestIdentity,
  saveAnswer,
} from "../core/ledger/ledger.ts";
import { keyReused, onceIn } from "../core/ledger/once.ts";
import { findServiceEntry, type ServiceRequest, saveServiceAnswer } from "../core/ledger/service-ledger.ts";
import type { Services } from "../core/services.ts";
import { batch, run } from "../db/query.ts";
import { decrypt } from "../platform/encryption.ts";
import { note } from "../platform/log.ts";
import type { AdminOperation } from "./operation.ts";

/** A workspace's ledger, or the service's. */
export interface Ledger {
  find(): Promise<LedgerEntry | null>;
  /**
   * Stores the result, unless another call with the key already has. Returns the entry with the result, which is the
   * same for all of these calls.
   */
  keep(subjectId: string, answer: object): Promise<LedgerEntry>;
}

export const workspaceLedger = (db: D1Database, request: RequestIdentity, action: string): Ledger => ({
  find: () => run(db, findEntry(request.organizationId, request.key)),
  keep: async (subjectId, answer) =>
    (await batch(db, saveAnswer({ ...request, action, subjectId }, answer)))[2],
});

export const serviceLedger = (db: D1Database, request: ServiceRequest): Ledger => ({
  find: () => run(db, findServiceEntry(request.key)),
  keep: async (subjectId, answer) => (await batch(db, saveServiceAnswer(request, subjectId, answer)))[1],
});

/** A call that has an idempotency key or comes from a form. */
export interface KeyedCall {
  request: ServiceRequest;
  isForm: boolean;
  ledger: Ledger;
  /**
   * The entry from an earlier call with the same key; null if there is none, undefined if it has not been looked up.
   */
  earlier: LedgerEntry | null | undefined;
  /** The acting member's id. */
  actor: string;
  services: Pick<Services, "webhookSecretKey">;
  operation: Pick<AdminOperation, "answer" | "secret">;
  again(entry: LedgerEntry): Promise<object | null>;
  /** Whether all of the operation's steps count as one call. */
  isSingleCall: boolean;
}

/**
 * Runs an operation once per key (contract O19) or form. The changes and the entry are written in one transaction. The
 * result is stored before it is returned, so every call with the same key gets the same result.
 */
export async function runOnce(
  call: KeyedCall,
  work: () => Promise<object | Refusal>,
): Promise<object | Refusal> {
  const { request, ledger } = call;
  const { fingerprint } = request;
  const earlier = call.earlier === undefined ? await ledger.find() : call.earlier;
  if (earlier && earlier.fingerprint !== fingerprint) return keyReused();
  if (earlier && !mayTakeOver(earlier)) return repeat(call, earlier);
  const workAndKeep = async () => {
    const done = await work();
    if (done instanceof Refusal || (call.isSingleCall && "next" in done && done.next !== null)) return done;
    const entry = await ledger.keep(subjectOf(done), withoutSecret(call, done));
    if (entry.fingerprint !== fingerprint) return keyReused();
    return entry.requestId === request.requestId ? done : repeat(call, entry);
  };
  return onceIn({ fingerprint, find: ledger.find }, workAndKeep, (entry) => repeat(call, entry));
}

/** Whether an earlier call crashed while sending an e-mail, and its lease has expired. */
const mayTakeOver = ({ leaseEndsAt }: LedgerEntry): boolean =>
  leaseEndsAt !== null && Date.parse(leaseEndsAt) <= Date.now();

const subjectOf = (answer: object): string => ("id" in answer ? String(answer.id) : "");

const withoutSecret = ({ operation: { secret } }: KeyedCall, answer: object): object =>
  secret === undefined ? answer : { ...answer, [secret]: null };

/** Returns the result from the call that did the work. */
async function repeat(call: KeyedCall, entry: LedgerEntry): Promise<object | Refusal> {
  const { isForm, actor, services, operation } = call;
  const isRecent = Date.now() - Date.parse(entry.createdAt) <= limits.doubleSubmitSeconds * 1000;
  if (isForm && !isRecent) return refuse("form_sent_before");
  if (!isForm && entry.leaseEndsAt !== null)
    return refuse("idempotency_key_in_progress", {}, { "Retry-After": "1" });
  // A form submitted twice shows the current secret, as long as the record has one.
  const isOfRecord = isForm && operation.secret !== undefined;
  const answer = isOfRecord ? await call.again(entry) : await answerOf(call, entry);
  if (answer === null) return refuse(isForm ? "form_sent_before" : "answer_gone");
  note({ replay: true });
  if (operation.secret === undefined || (isForm && operation.secret in answer))
    return { ...answer, idempotent_replay: true };
  const sealed = isRecent && entry.actor === actor ? entry.secretEncrypted : null;
  if (isForm && sealed === null) return refuse("form_sent_before");
  const secret = sealed && (await decrypt(services.webhookSecretKey, entry.subjectId, sealed));
  return { ...answer, [operation.secret]: secret, idempotent_replay: true };
}

/** Returns the result in the entry. If the original call crashed before storing the result, reads and stores it. */
async function answerOf(call: KeyedCall, entry: LedgerEntry): Promise<object | null> {
  if (entry.answer !== null && entry.answer !== answerPlaceholder) return JSON.parse(entry.answer);
  const found = await call.again(entry);
  if (found === null) return null;
  const { secret, answer: schema } = call.operation;
  const read = schema.parse(secret === undefined ? found : { ...found, [secret]: "" });
  const { answer } = await call.ledger.keep(entry.subjectId, withoutSecret(call, read));
  return answer === null ? null : JSON.parse(answer);
}
