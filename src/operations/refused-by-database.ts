import { isRefusalName, Refusal, type RefusalName, refuse } from "../contract/refusal.ts";

/** Maps the constraints that an admin can violate to their refusals. */
const names: Readonly<Record<string, RefusalName>> = {
  "UNIQUE constraint failed: organizations.slug": "slug_taken",
  "NOT NULL constraint failed: clients.name": "client_name_missing",
  "CHECK constraint failed: end_date IS NULL OR start_date IS NULL OR end_date >= start_date":
    "end_before_start",
};

/** Returns the refusal for a violated constraint or a trigger's RAISE; undefined for any other error. */
export function refusedByDatabase(error: unknown): Refusal | undefined {
  const text = /^(?:Error: )?(?:D1_ERROR: )?(.+?): SQLITE_CONSTRAINT/.exec(String(error))?.[1];
  if (text === undefined) return undefined;
  const name = names[text] ?? text;
  if (isRefusalName(name)) return new Refusal(name);
  return refuse("refused_by_database", { text: text.charAt(0).toUpperCase() + text.slice(1) });
}
