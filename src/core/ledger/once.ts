import { Refusal, refuse } from "../../contract/refusal.ts";
import { run } from "../../db/query.ts";
import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import { findEntry, type LedgerEntry } from "./ledger.ts";

interface Recorded {
  fingerprint: string;
  find(): Promise<LedgerEntry | null>;
}

/**
 * Does a form's work at most once. The work writes the form's ledger entry in its own transaction. If that fails
 * because the form was already submitted successfully, `again` returns the earlier result.
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

/** Like `once`, for an entry in any ledger. */
export async function onceIn<T>(
  { fingerprint, find }: Recorded,
  work: () => Promise<T | Refusal>,
  again: (entry: LedgerEntry) => Promise<T | Refusal>,
): Promise<T | Refusal> {
  const doneBefore = async () => {
    const entry = await find();
    return entry && { answer: entry.fingerprint === fingerprint ? await again(entry) : keyReused() };
  };
  try {
    const done = await work();
    return done instanceof Refusal ? ((await doneBefore())?.answer ?? done) : done;
  } catch (error) {
    // The conflict may be with the entry, or with another row that the first call wrote.
    const before = /SQLITE_CONSTRAINT/.test(String(error)) ? await doneBefore() : null;
    if (!before) throw error;
    return before.answer;
  }
}

/** Returns the refusal for a call that reuses the key of a different call. */
export const keyReused = (): Refusal => refuse("idempotency_key_reused");
