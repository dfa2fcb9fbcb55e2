/** Compares a dry run with the real request. */

export interface Outcome {
  status: number;
  body: Record<string, unknown>;
}

export const outcomeOf = async (answer: Response): Promise<Outcome> => ({
  status: answer.status,
  body: await answer.json<Record<string, unknown>>(),
});

/** Fields that differ in each response: new ids, timestamps, and hashes of them. */
const isNew = /^(id|hash|(created|updated|sent)_at)$/;

/** Replaces values that always differ between two responses to the same request. */
export function comparable(value: unknown, name = ""): unknown {
  if (isNew.test(name)) return `[${name}]`;
  if (name === "share_url") return String(value).replace(/[\w-]{32}$/, "[token]");
  if (name === "reminder_due_at" && value !== null) return "[reminder]";
  // Counts down to the end of the day.
  if (name === "retry_after_seconds") return "[seconds]";
  if (Array.isArray(value)) return value.map((item) => comparable(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, comparable(inner, key)]));
}

/** The response that a dry run predicts. An error predicts the same error. */
export function predicted({ status, body }: Outcome): Outcome {
  if (status >= 400) return { status, body };
  const { dry_run, would_be, mail: _, ...fields } = body;
  if (dry_run !== true) throw new Error(`no dry run: ${status} ${JSON.stringify(body)}`);
  return { status: Number(would_be), body: fields };
}
