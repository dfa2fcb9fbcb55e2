import { AsyncLocalStorage } from "node:async_hooks";
import { escapeControls } from "../contract/characters.ts";
import type { Refusal } from "../contract/refusal.ts";

/** Collected for a request's log line while the request runs. */
export interface RequestNotes {
  /** The path's template, once the operation is known. */
  route?: string;
  organization_id?: string;
  token_prefix?: string;
  token_id?: string | undefined;
  /** The record that the request is about. */
  subject_id?: string;
  /** For each transaction, the `events.sequence` values between which it recorded events. */
  events?: { behind: number; upTo: number }[];
  /** The error's code or name. */
  code?: string | undefined;
  /** The API's refusal. */
  refusal?: Refusal;
  replay?: true;
  d1_trips?: number;
  /** The time that round trips took, by destination, for Server-Timing. */
  d1_ms?: number;
  coordinator_ms?: number;
  /** The time that the request spent waiting for an event. */
  waited_ms?: number;
}

interface UnderWay {
  /** The ids of the request, delivery or cron run. All of its log lines include them. */
  ids: Record<string, unknown>;
  notes: RequestNotes;
}

const underWay = new AsyncLocalStorage<UnderWay>();

/** Runs work outside a request and adds `ids` to its log lines. */
export const withLogIds = <T>(ids: Record<string, unknown>, work: () => T): T =>
  underWay.run({ ids, notes: {} }, work);

/** Runs a request's work and collects its notes in `notes`. */
export const withRequestNotes = <T>(requestId: string, notes: RequestNotes, work: () => T): T =>
  underWay.run({ ids: { request_id: requestId }, notes }, work);

/** Adds to the current request's notes, if there is a request. */
export const note = (notes: RequestNotes): void => {
  Object.assign(underWay.getStore()?.notes ?? {}, notes);
};

/** Returns the current request's notes so far. */
export const notesUnderWay = (): Readonly<RequestNotes> | undefined => underWay.getStore()?.notes;

/** Counts a round trip to D1 and its duration in the current request's notes. */
export function d1Span<T>(answer: Promise<T>): Promise<T> {
  const notes = underWay.getStore()?.notes;
  if (notes) notes.d1_trips = (notes.d1_trips ?? 0) + 1;
  return span("d1_ms", answer);
}

/** Adds a response's duration to the current request's notes. */
export async function span<T>(
  name: "d1_ms" | "coordinator_ms" | "waited_ms",
  answer: Promise<T>,
): Promise<T> {
  const startedMs = Date.now();
  try {
    return await answer;
  } finally {
    const notes = underWay.getStore()?.notes;
    if (notes) notes[name] = (notes[name] ?? 0) + Date.now() - startedMs;
  }
}

/** Writes one line of JSON to the log: what was done. */
export const logLine = (done: Record<string, unknown>): void =>
  console.log(escapeControls(JSON.stringify({ ...underWay.getStore()?.ids, ...done })));

/** Writes a failure to the log: what was being done, and why it failed. */
export const report = (doing: Record<string, unknown>, error: unknown): void =>
  console.error(
    escapeControls(JSON.stringify({ ...underWay.getStore()?.ids, ...doing, error: describe(error) })),
  );

/** Describes an error by its cause, if there is one: messages from drizzle and D1 may contain bound values. */
function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join("; ");
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : (error.stack ?? error.message);
}
