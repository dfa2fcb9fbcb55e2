import { limits } from "../contract/limits.ts";
import { Refusal, refuse } from "../contract/refusal.ts";
import { batch, run } from "../db/query.ts";
import { decrypt } from "../platform/encryption.ts";
import { note } from "../platform/log.ts";
import {
  findLine,
  keepAnswer,
  type LedgerLine,
  type RequestIdentity,
  unread,
} from "../workspace/requests/ledger.ts";
import { onceIn, reused } from "../workspace/requests/once.ts";
import {
  findServiceLine,
  keepServiceAnswer,
  type ServiceRequest,
} from "../workspace/requests/service-ledger.ts";
import type { Services } from "../workspace/services.ts";
import type { AdminOperation } from "./operation.ts";

/** The ledger in which the line of a call is. */
export interface Ledger {
  find(): Promise<LedgerLine | null>;
  /** Keeps the answer, unless another call with the key did; gives the line, whose answer is that of all of them. */
  keep(subjectId: string, answer: object): Promise<LedgerLine>;
}

export const workspaceLedger = (db: D1Database, request: RequestIdentity, action: string): Ledger => ({
  find: () => run(db, findLine(request.organizationId, request.key)),
  keep: async (subjectId, answer) =>
    (await batch(db, keepAnswer({ ...request, action, subjectId }, answer)))[2],
});

export const serviceLedger = (db: D1Database, request: ServiceRequest): Ledger => ({
  find: () => run(db, findServiceLine(request.key)),
  keep: async (subjectId, answer) => (await batch(db, keepServiceAnswer(request, subjectId, answer)))[1],
});

/** A call with a form or a key. */
export interface KeyedCall {
  request: ServiceRequest;
  isForm: boolean;
  ledger: Ledger;
  /** Looked for before; undefined: it was not. */
  earlier: LedgerLine | null | undefined;
  /** The id of the member who acts. */
  actor: string;
  services: Pick<Services, "webhookSecretKey">;
  operation: Pick<AdminOperation, "answer" | "secret">;
  again(line: LedgerLine): Promise<object | null>;
  /** Whether an answer is the last step's, where all steps are one call. */
  isOneCall: boolean;
}

/**
 * Runs an operation once for each key (contract O19), and each form. What it changed and its line are one transaction;
 * the answer is kept before it leaves, so that every call with the key gets the same one.
 */
export async function runOnce(
  call: KeyedCall,
  work: () => Promise<object | Refusal>,
): Promise<object | Refusal> {
  const { request, ledger } = call;
  const { fingerprint } = request;
  const earlier = call.earlier === undefined ? await ledger.find() : call.earlier;
  if (earlier && earlier.fingerprint !== fingerprint) return reused();
  if (earlier && (call.isForm || !mayTakeOver(earlier))) return repeat(call, earlier);
  const workAndKeep = async () => {
    const done = await work();
    if (done instanceof Refusal || (call.isOneCall && "next" in done && done.next !== null)) return done;
    const line = await ledger.keep(subjectOf(done), withoutSecret(call, done));
    if (line.fingerprint !== fingerprint) return reused();
    return line.requestId === request.requestId ? done : repeat(call, line);
  };
  return onceIn({ fingerprint, find: ledger.find }, workAndKeep, (line) => repeat(call, line));
}

/** A mail of an earlier call that died before it was known to have left. */
const mayTakeOver = ({ leaseEndsAt }: LedgerLine): boolean =>
  leaseEndsAt !== null && Date.parse(leaseEndsAt) <= Date.now();

const subjectOf = (answer: object): string => ("id" in answer ? String(answer.id) : "");

const withoutSecret = ({ operation: { secret } }: KeyedCall, answer: object): object =>
  secret === undefined ? answer : { ...answer, [secret]: null };

/** Answers as the call did that did the work. */
async function repeat(call: KeyedCall, line: LedgerLine): Promise<object | Refusal> {
  const { isForm, actor, services, operation } = call;
  const isRecent = Date.now() - Date.parse(line.createdAt) <= limits.pressedAgainSeconds * 1000;
  if (isForm && !isRecent) return refuse("form_sent_before");
  if (!isForm && line.leaseEndsAt !== null)
    return refuse("idempotency_key_in_progress", {}, { "Retry-After": "1" });
  // A form's second press shows the secret that works now, while there is one.
  const isOfRecord = isForm && operation.secret !== undefined;
  const answer = isOfRecord ? await call.again(line) : await answerOf(call, line);
  if (answer === null) return refuse(isForm ? "form_sent_before" : "answer_gone");
  note({ replay: true });
  if (operation.secret === undefined || (isForm && operation.secret in answer))
    return { ...answer, idempotent_replay: true };
  const sealed = isRecent && line.actor === actor ? line.secretEncrypted : null;
  if (isForm && sealed === null) return refuse("form_sent_before");
  const secret = sealed && (await decrypt(services.webhookSecretKey, line.subjectId, sealed));
  return { ...answer, [operation.secret]: secret, idempotent_replay: true };
}

/** The answer that the line has; where the work's call died before it was kept, the record's. */
async function answerOf(call: KeyedCall, line: LedgerLine): Promise<object | null> {
  if (line.answer !== null && line.answer !== unread) return JSON.parse(line.answer);
  const found = await call.again(line);
  if (found === null) return null;
  const { secret, answer: schema } = call.operation;
  const read = schema.parse(secret === undefined ? found : { ...found, [secret]: "" });
  const { answer } = await call.ledger.keep(line.subjectId, withoutSecret(call, read));
  return answer === null ? null : JSON.parse(answer);
}
