import type { Mailer } from "../../platform/mail.ts";

/** What the verbs of a review may use; built once from the bindings. */
export interface ReviewContext extends Mailer {
  db: D1Database;
  /** The key of the codes' digests: without it, six digits are found by trying all of them. */
  codeKey: string;
}
