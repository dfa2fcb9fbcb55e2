import { type AdminRefusal, deny, refusedByApi } from "../contract/admin-refusals.ts";
import { refusalRaised } from "../contract/failures.ts";

/** The refusals of the constraints that an admin can run into, in the words of the fields. */
const sentences: Readonly<Record<string, string>> = {
  "UNIQUE constraint failed: organizations.slug": "slug is taken",
  "NOT NULL constraint failed: clients.name": "company_name or client_name is required",
  "CHECK constraint failed: end_date IS NULL OR start_date IS NULL OR end_date >= start_date":
    "end_date must not be before start_date",
};

/** The refusal behind a constraint or a RAISE of a trigger; undefined for any other error. */
export function refusedByDatabase(error: unknown): AdminRefusal | undefined {
  const known = refusalRaised(error);
  if (known) return refusedByApi(known);
  const text = /^(?:Error: )?(?:D1_ERROR: )?(.+?): SQLITE_CONSTRAINT/.exec(String(error))?.[1];
  if (text === undefined) return undefined;
  return deny(sentences[text] ?? text.charAt(0).toUpperCase() + text.slice(1));
}
