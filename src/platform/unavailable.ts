import { type Refusal, raisedName, refuse } from "../contract/refusal.ts";
import { TimedOut, withTimeout } from "./timeout.ts";

/**
 * Error messages of D1 and SQLite (D1's documentation, "Debug D1"). The first match counts:
 * - full: reads work, and writes will once there is room.
 * - lasting: an immediate retry would fail too, or make it worse.
 * - momentary: the same query may succeed at once.
 */
const faults = {
  full: /Exceeded maximum (?:DB size|account storage)|SQLITE_FULL/,
  lasting:
    /D1 DB is overloaded|exceeded timeout which caused object|limit and was reset|Currently processing a long-running|Failed to parse body as JSON|internal error; reference|SQLITE_(?:READONLY|IOERR|BUSY|LOCKED|NOMEM|CANTOPEN)/,
  momentary:
    /Network connection lost|caused object to be reset|reset because its code was updated|transient issue on remote node|Replica disconnected from primary|because client disconnected/,
} as const;

type Fault = keyof typeof faults;

const faultIn = (error: unknown): Fault | undefined => {
  const text = String(error);
  return (Object.keys(faults) as Fault[]).find((fault) => faults[fault].test(text));
};

/** The database or a coordinator is overloaded, unreachable or full. `cause` says which. */
export class Unavailable extends Error {
  readonly fault: Fault;

  constructor(fault: Fault, cause: unknown) {
    super(String(cause), { cause });
    this.fault = fault;
  }
}

/** Whether a write failed because its workspace is individually closed. */
export const isOfFence = (error: unknown): boolean => raisedName(error) === "organization_is_moving";

/** Returns the refusal for an uncaught error. */
export function failureOf(error: unknown): Refusal {
  if (isOfFence(error)) return refuse("organization_is_moving");
  if (!(error instanceof Unavailable)) return refuse("unexpected");
  return refuse(error.fault === "full" ? "storage_full" : "unavailable");
}

/** Whether a Durable Object could not be called, or ended during a call. A bug in its own code sets neither flag. */
const isOfObject = (error: unknown): boolean =>
  error instanceof Error && (Reflect.has(error, "retryable") || Reflect.has(error, "overloaded"));

/** Settles like `answer`, or rejects with `Unavailable` if it is late or the platform failed. */
export async function orUnavailable<T>(timeLimitMs: number, answer: Promise<T>): Promise<T> {
  try {
    return await withTimeout(timeLimitMs, answer);
  } catch (error) {
    const fault = faultIn(error) ?? (error instanceof TimedOut || isOfObject(error) ? "lasting" : undefined);
    throw fault ? new Unavailable(fault, error) : error;
  }
}
