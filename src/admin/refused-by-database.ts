import { isRefusalName, Refusal, refuse, textRaised } from "../contract/refusal.ts";

/** The refusals of the constraints that an admin can run into. */
const names: Readonly<Record<string, "slug_taken" | "client_name_missing" | "end_before_start">> = {
  "UNIQUE constraint failed: organizations.slug": "slug_taken",
  "NOT NULL constraint failed: clients.name": "client_name_missing",
  "CHECK constraint failed: end_date IS NULL OR start_date IS NULL OR end_date >= start_date":
    "end_before_start",
};

/** The refusal behind a constraint or a RAISE of a trigger; undefined for any other error. */
export function refusedByDatabase(error: unknown): Refusal | undefined {
  const raised = textRaised(error);
  if (isRefusalName(raised)) return new Refusal(raised);
  const text = /^(?:Error: )?(?:D1_ERROR: )?(.+?): SQLITE_CONSTRAINT/.exec(String(error))?.[1];
  if (text === undefined) return undefined;
  const name = names[text];
  if (name) return refuse(name);
  return refuse("refused_by_database", { text: text.charAt(0).toUpperCase() + text.slice(1) });
}
