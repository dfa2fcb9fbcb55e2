/** What a write may use beside its decision; built once at the door from the bindings. */
export interface Services {
  db: D1Database;
  images: R2Bucket;
  email: SendEmail;
  mailFrom: string;
  applicationUrl: string;
  /** Wakes the webhook deliveries of an organization that have become due; call it after a state transition. */
  wakeWebhooks(organizationId: string): Promise<void>;
}
