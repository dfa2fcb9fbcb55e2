import { Refusal, refuse } from "../../contract/refusal.ts";
import { run } from "../../db/query.ts";
import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import { findEntry, type LedgerEntry } from "./ledger.ts";

/** Where the entry of a request is looked for. */
interface Recorded {
  fingerprint: string;
  find(): Promise<LedgerEntry | null>;
}

/**
 * Does the work of a form once. The work writes the form's entry into the ledger, in its own transaction. Where it
 * could not be done, the entry tells whether an earlier press of the button did it, and `again` answers as that one
 * did.
 */
export const once = async <T>(
  { services, request }: Pick<Context<Actor, "db">, "services" | "request">,
  work: () => Promise<T | Refusal>,
  again: (entry: LedgerEntry) => Promise<T | Refusal>,
): Promise<T | Refusal> =>
  request
    ? onceIn(
        {
          fingerprint: request.fingerprint,
          find: () => run(services.db, findEntry(request.organizationId, request.key)),
        },
        work,
        again,
      )
    : work();

/** The same, wherever the entry is. */
export async function onceIn<T>(
  { fingerprint, find }: Recorded,
  work: () => Promise<T | Refusal>,
  again: (entry: LedgerEntry) => Promise<T | Refusal>,
): Promise<T | Refusal> {
  const doneBefore = async () => {
    const entry = await find();
    return entry && { answer: entry.fingerprint === fingerprint ? await again(entry) : reused() };
  };
  try {
    const done = await work();
    return done instanceof Refusal ? ((await doneBefore())?.answer ?? done) : done;
  } catch (error) {
    // The entry, or whatever else of the first work the second one ran into.
    const before = /SQLITE_CONSTRAINT/.test(String(error)) ? await doneBefore() : null;
    if (!before) throw error;
    return before.answer;
  }
}

/** The answer to a call whose key belongs to another one. */
export const reused = (): Refusal => refuse("idempotency_key_reused");
