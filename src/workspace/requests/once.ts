import { Refusal, refuse } from "../../contract/refusal.ts";
import { run } from "../../db/query.ts";
import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import { findLine, type LedgerLine } from "./ledger.ts";

/** Where the line of a request is looked for. */
interface Recorded {
  fingerprint: string;
  find(): Promise<LedgerLine | null>;
}

/**
 * Does the work of a form once. The work writes the form's line into the ledger, in its own transaction. Where it could
 * not be done, the line tells whether an earlier press of the button did it, and `again` answers as that one did.
 */
export const once = async <T>(
  { services, request }: Pick<Context<Actor, "db">, "services" | "request">,
  work: () => Promise<T | Refusal>,
  again: (line: LedgerLine) => Promise<T | Refusal>,
): Promise<T | Refusal> =>
  request
    ? onceIn(
        {
          fingerprint: request.fingerprint,
          find: () => run(services.db, findLine(request.organizationId, request.key)),
        },
        work,
        again,
      )
    : work();

/** The same, wherever the line is. */
export async function onceIn<T>(
  { fingerprint, find }: Recorded,
  work: () => Promise<T | Refusal>,
  again: (line: LedgerLine) => Promise<T | Refusal>,
): Promise<T | Refusal> {
  const doneBefore = async () => {
    const line = await find();
    return line && { answer: line.fingerprint === fingerprint ? await again(line) : reused() };
  };
  try {
    const done = await work();
    return done instanceof Refusal ? ((await doneBefore())?.answer ?? done) : done;
  } catch (error) {
    // The line, or whatever else of the first work the second one ran into.
    const before = /SQLITE_CONSTRAINT/.test(String(error)) ? await doneBefore() : null;
    if (!before) throw error;
    return before.answer;
  }
}

/** The answer to a call whose key belongs to another one. */
export const reused = (): Refusal => refuse("idempotency_key_reused");
