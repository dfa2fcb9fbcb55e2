import type { DeliveryQueues, PaceGrant, SendRecord } from "../contract/messages.ts";
import type { CellFacts } from "../contract/move.ts";
import type { Mailer } from "../platform/mail.ts";
import type { TargetOptions } from "../platform/resolver.ts";
import type { ServiceState } from "../platform/service-state.ts";
import type { OwnCell } from "../workspace/directory/record.ts";

/** The facts about a move that the front passes to a cell, which checks the move. */
export interface Moving {
  /** Null if there is no such cell. */
  target: CellFacts | null;
  cells: readonly string[];
  mover: string;
}

/**
 * Everything that this Worker may use, built from its bindings (src/services.ts). Entry points get all of it; a
 * verb declares what it uses, as `Pick<Services, "db" | "images">`.
 */
export interface Services extends Mailer {
  db: D1Database;
  /** This cell; null if there is only one cell and no directory. */
  cell: OwnCell | null;
  /** Set by the front while a workspace is being moved. */
  moving: Moving | null;
  /** The database of sessions and sign-in links: the directory, since a person may work in several cells, or `db`. */
  accounts: D1Database;
  /** The region of the database; null if the platform chose it. */
  region: string | null;
  images: R2Bucket;
  /** The bucket of the nightly backups. */
  backups: R2Bucket;
  /** The hour (UTC) at which the nightly backup starts; null for no backups. */
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
  /** Remembers a sent e-mail, so that a retry does not send it again while its record is still in the queue. */
  rememberSent(
    organizationId: string,
    mail: { key: string; fingerprint: string; answer: string },
  ): Promise<void>;
  /** Whether the coordinator remembers that this e-mail was sent. */
  hasSent(organizationId: string, mail: { key: string; fingerprint: string }): Promise<boolean>;
  /** Queues the record of a sent e-mail until the database accepts it (queues/send-records.ts). */
  sendRecords: Queue<SendRecord>;
  /** The dead-letter queue of send records. */
  deadSendRecords: Pick<Queue<SendRecord>, "metrics">;
  /** The dead-letter queue of bounce reports. */
  deadEmailEvents: Pick<Queue, "metrics">;
  queues: DeliveryQueues;
  /** Reserves POSTs to a host; `wanted` has the number for each organization. */
  grantPosts(host: string, wanted: Record<string, number>): Promise<PaceGrant>;
  /** Enqueues an organization's due deliveries after a state change. Never rejects. */
  enqueueDueDeliveries(organizationId: string): Promise<void>;
  fetch: typeof fetch;
  /** Uniform in [0, 1), as Math.random. */
  random(): number;
  /** Decides where webhooks may be sent. */
  webhookTargets: TargetOptions;
  /** Encrypts the secrets of webhook endpoints (platform/encryption.ts). */
  webhookSecretKey: string;
  /** Signs cursors: one secret, two during a rotation. */
  cursorKeys: readonly string[];
  /** The key for digests of review codes. An unkeyed digest of six digits could be brute-forced. */
  codeKey: string;
  /** The secret JWK set that signs the proofs of sign-offs. */
  signOffKeys: string;
  /** Verifies the payment processor's events: one secret, two during a rotation. */
  processorSecrets: readonly string[];
  /** Limits 401 responses per sender. */
  unknownSenders: RateLimit;
  /** Whether this visitor of a review may submit another form now. */
  mayReadForm(visitor: string): Promise<boolean>;
  /** The same limit for all visitors with the review's bare link together. */
  mayReadFormOf(review: string): Promise<boolean>;
  /** Whether this visitor of a review may load it again now. */
  mayReadReview(visitor: string): Promise<boolean>;
  /** The same limit for all visitors with the review's bare link together. */
  mayReadReviewOf(review: string): Promise<boolean>;
  /** Origins whose pages may call operations, comma-separated; the service's own is always allowed. */
  browserOrigins: string;
  /** Called after each cron run in which no job failed; empty to call nothing. */
  heartbeatUrl: string;
  /** Whether the service accepts requests, and writes. */
  serviceState: ServiceState;
  /** The operator's e-mail address; empty for no e-mails about the database's size. */
  operatorEmail: string;
}
