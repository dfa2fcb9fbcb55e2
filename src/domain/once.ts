import { Refusal, refuse } from "../contract/refusal.ts";
import { findLine, isLineConflict, type LedgerLine, type RequestIdentity } from "../db/ledger.ts";
import { run } from "../db/query.ts";

interface FormContext {
  db: D1Database;
  /** The filled form that was sent, as the ledger knows it; undefined if no form was sent. */
  form?: RequestIdentity | undefined;
}

/**
 * Does the work of a form once. The work writes the form's line into the ledger, in its own transaction. Where it could
 * not be done, the line tells whether an earlier press of the button did it, and `again` answers as that one did.
 */
export async function once<T>(
  { db, form }: FormContext,
  work: () => Promise<T | Refusal>,
  again: (line: LedgerLine) => Promise<T | Refusal>,
): Promise<T | Refusal> {
  const doneBefore = async () => {
    const line = form && (await run(db, findLine(form.organizationId, form.key)));
    if (!line) return undefined;
    return line.fingerprint === form.fingerprint ? { answer: await again(line) } : reused;
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
