import { type Refusal, refuse } from "../contract/refusal.ts";
import { TooLate, within } from "./time-limit.ts";

/** The database or a coordinator is overloaded or out of reach; `cause` says how. A caller may try again later. */
export class Unavailable extends Error {}

/** The answer to an error that nothing else has caught. */
export const failureOf = (error: unknown): Refusal =>
  refuse(error instanceof Unavailable ? "unavailable" : "unexpected");

/** What D1 says where the same query may succeed at once (its documentation, "Debug D1"). */
const transient =
  /Network connection lost|caused object to be reset|reset because its code was updated|transient issue on remote node/;

export const isTransient = (error: unknown): boolean => transient.test(String(error));

/** Another try at once would make it worse. */
const isOverloaded = (error: unknown): boolean => String(error).includes("D1 DB is overloaded");

/** A Durable Object that could not be asked, or that ended while it was; a mistake of its own code has neither mark. */
const isOfObject = (error: unknown): boolean =>
  error instanceof Error && (Reflect.has(error, "retryable") || Reflect.has(error, "overloaded"));

/** Settles like an answer, or rejects with `Unavailable` if it is late or the platform could not give it. */
export async function whileAvailable<T>(timeLimitMs: number, answer: Promise<T>): Promise<T> {
  try {
    return await within(timeLimitMs, answer);
  } catch (error) {
    const isOurs =
      !(error instanceof TooLate) && !isTransient(error) && !isOverloaded(error) && !isOfObject(error);
    throw isOurs ? error : new Unavailable(String(error), { cause: error });
  }
}
