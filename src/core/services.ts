import type { DeliveryQueues, Places, SendRecord } from "../contract/messages.ts";
import type { Mailer } from "../platform/mail.ts";
import type { TargetOptions } from "../platform/resolver.ts";
import type { ServiceState } from "../platform/service-state.ts";

/**
 * All that this Worker may use, made from its bindings (src/services.ts). A door holds all of it; a verb names what it
 * uses, as `Pick<Services, "db" | "images">`.
 */
export interface Services extends Mailer {
  db: D1Database;
  images: R2Bucket;
  /** Holds the nightly copies of the database. */
  backups: R2Bucket;
  /** The hour (UTC) from which on the night's copy is made; null: none is. */
  backupHour: number | null;
  /** Holds the documents that are answered as they are. */
  assets: Fetcher;
  coordinators: Pick<Env["ORGANIZATION_COORDINATOR"], "getByName">;
  /** The minute in which each token of an organization was used last, by its id. */
  lastUses(organizationId: string): Promise<Record<string, string>>;
  /** Counts webhook deliveries of an organization that arrived. */
  countDeliveries(organizationId: string, deliveries: number): Promise<void>;
  /** Empties the coordinator of an organization that is being erased. */
  eraseCoordinator(organizationId: string): Promise<void>;
  /** Lets no retry mail again while the record of a mail that went out is on its way. */
  rememberSent(
    organizationId: string,
    mail: { key: string; fingerprint: string; answer: string },
  ): Promise<void>;
  /** Keeps the record of a mail that went out until the database takes it (queues/send-records.ts). */
  sendRecords: Queue<SendRecord>;
  /** Holds the records that no try brought into the database. */
  deadSendRecords: Pick<Queue<SendRecord>, "metrics">;
  queues: DeliveryQueues;
  /** Takes places for POSTs to a host, of which each organization wants so many. */
  receiverPlaces(host: string, wanted: Record<string, number>): Promise<Places>;
  /** Puts an organization's due deliveries on the queue, after a state change. It never rejects. */
  enqueueDueDeliveries(organizationId: string): Promise<void>;
  fetch: typeof fetch;
  /** Uniform in [0, 1), as Math.random. */
  random(): number;
  /** Where webhooks may go. */
  webhookTargets: TargetOptions;
  /** Encrypts the secrets of webhook endpoints (platform/encryption.ts). */
  webhookSecretKey: string;
  /** Sign cursors: one secret, two during a rotation. */
  cursorKeys: readonly string[];
  /** The key of the digests of review codes: without it, six digits are found by trying all of them. */
  codeKey: string;
  /** Sign the proofs of sign-offs: a JWK set; secret. */
  signOffKeys: string;
  /** Sign the payment processor's events: one secret, two during a rotation. */
  processorSecrets: readonly string[];
  /** Counts 401s by address. */
  unknownSenders: RateLimit;
  /** Whether one more form of this visitor of a review may be read now. */
  mayReadForm(visitor: string): Promise<boolean>;
  /** The same of all visitors of a review by its bare link. */
  mayReadFormOf(review: string): Promise<boolean>;
  /** Whether this visitor of a review may read it once more now. */
  mayReadReview(visitor: string): Promise<boolean>;
  /** The same of all visitors of a review by its bare link. */
  mayReadReviewOf(review: string): Promise<boolean>;
  /** Origins whose pages may call operations, comma-separated; its own may always. */
  browserOrigins: string;
  /** Called after each minute in which no job failed; empty: not called. */
  heartbeatUrl: string;
  /** Whether the service takes requests, and writes. */
  serviceState: ServiceState;
  /** Who runs the service; empty: no mail about its size. */
  operatorEmail: string;
}
