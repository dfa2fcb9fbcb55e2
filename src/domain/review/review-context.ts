/** What the verbs of a review may use; built once from the bindings. */
export interface ReviewContext {
  db: D1Database;
  email: SendEmail;
  mailFrom: string;
  applicationUrl: string;
  /** Keeps the digests of codes from being undone by trying. */
  codeKey: string;
}
