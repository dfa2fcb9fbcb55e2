import { Refusal, refuse } from "../../contract/refusal.ts";
import { run } from "../../db/query.ts";
import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import { findLine, isLineConflict, type LedgerLine } from "./ledger.ts";

/**
 * Does the work of a form once. The work writes the form's line into the ledger, in its own transaction. Where it could
 * not be done, the line tells whether an earlier press of the button did it, and `again` answers as that one did.
 */
export async function once<T>(
  { services, request }: Pick<Context<Actor, "db">, "services" | "request">,
  work: () => Promise<T | Refusal>,
  again: (line: LedgerLine) => Promise<T | Refusal>,
): Promise<T | Refusal> {
  const doneBefore = async () => {
    const line = request && (await run(services.db, findLine(request.organizationId, request.key)));
    if (!line) return undefined;
    return line.fingerprint === request.fingerprint ? { answer: await again(line) } : reused;
  };
  try {
    const done = await work();
    return done instanceof Refusal ? ((await doneBefore())?.answer ?? done) : done;
  } catch (error) {
    const before = isLineConflict(error) ? await doneBefore() : undefined;
    if (!before) throw error;
    return before.answer;
  }
}

const reused = { answer: refuse("idempotency_key_reused") };
