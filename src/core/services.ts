import type { DeliveryQueues, Places, SendRecord } from "../contract/messages.ts";
import type { Mailer } from "../platform/mail.ts";
import type { TargetOptions } from "../platform/resolver.ts";
import type { ServiceState } from "../platform/service-state.ts";
import type { OwnCell } from "../workspace/directory/record.ts";

/**
 * All that this Worker may use, built from its bindings (src/services.ts). An entry point has all of it; a verb
 * names what it uses, as `Pick<Services, "db" | "images">`.
 */
export interface Services extends Mailer {
  db: D1Database;
  /** Which cell this is; null: there is only one, without a directory. */
  cell: OwnCell | null;
  /** Where sessions and sign-in links are: the directory, because a person may work in several cells; or `db`. */
  accounts: D1Database;
  /** Where the database is; null: the platform chose. */
  region: string | null;
  images: R2Bucket;
  /** The bucket of the nightly backups. */
  backups: R2Bucket;
  /** The hour (UTC) from which the nightly backup is made; null: no backups. */
  backupHour: number | null;
  /** The static documents. */
  assets: Fetcher;
  coordinators: Pick<Env["ORGANIZATION_COORDINATOR"], "getByName">;
  /** The minute of each token's last use in an organization, by token id. */
  lastUses(organizationId: string): Promise<Record<string, string>>;
  /** Counts an organization's delivered webhooks. */
  countDeliveries(organizationId: string, deliveries: number): Promise<void>;
  /** Empties the coordinator of an organization that is being erased. */
  eraseCoordinator(organizationId: string): Promise<void>;
  /** Keeps a retry from sending an e-mail again while the record of the sent one is still in its queue. */
  rememberSent(
    organizationId: string,
    mail: { key: string; fingerprint: string; answer: string },
  ): Promise<void>;
  /** Whether the coordinator remembers such an e-mail. */
  hasSent(organizationId: string, mail: { key: string; fingerprint: string }): Promise<boolean>;
  /** Keeps the record of a sent e-mail until the database accepts it (queues/send-records.ts). */
  sendRecords: Queue<SendRecord>;
  /** Stores the send records that no attempt could write to the database. */
  deadSendRecords: Pick<Queue<SendRecord>, "metrics">;
  /** Stores the bounce reports that no attempt could record. */
  deadEmailEvents: Pick<Queue, "metrics">;
  queues: DeliveryQueues;
  /** Reserves POSTs to a host: the number that each organization wants. */
  receiverPlaces(host: string, wanted: Record<string, number>): Promise<Places>;
  /** Puts an organization's due deliveries on the queue, after a state change. It never rejects. */
  enqueueDueDeliveries(organizationId: string): Promise<void>;
  fetch: typeof fetch;
  /** Uniform in [0, 1), as Math.random. */
  random(): number;
  /** The targets that webhooks may have. */
  webhookTargets: TargetOptions;
  /** Encrypts the secrets of webhook endpoints (platform/encryption.ts). */
  webhookSecretKey: string;
  /** Signs cursors: one secret, two during a rotation. */
  cursorKeys: readonly string[];
  /** The key for digests of review codes; without it, a six-digit code could be found by trying all of them. */
  codeKey: string;
  /** Signs the proofs of sign-offs; a JWK set, secret. */
  signOffKeys: string;
  /** Verifies the payment processor's events: one secret, two during a rotation. */
  processorSecrets: readonly string[];
  /** Counts 401s by sender. */
  unknownSenders: RateLimit;
  /** Whether this visitor of a review may submit another form now. */
  mayReadForm(visitor: string): Promise<boolean>;
  /** The same for all visitors with the review's bare link. */
  mayReadFormOf(review: string): Promise<boolean>;
  /** Whether this visitor of a review may load it again now. */
  mayReadReview(visitor: string): Promise<boolean>;
  /** The same for all visitors with the review's bare link. */
  mayReadReviewOf(review: string): Promise<boolean>;
  /** Origins whose pages may call operations, comma-separated; the service's own is always allowed. */
  browserOrigins: string;
  /** Called after each cron run in which no job failed; empty: not called. */
  heartbeatUrl: string;
  /** Whether the service accepts requests, and writes. */
  serviceState: ServiceState;
  /** The operator's e-mail address; empty: no e-mails about the database's size. */
  operatorEmail: string;
}
