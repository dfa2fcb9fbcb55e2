import type { DeliveryQueues, PaceGrant, SendRecord } from "../contract/messages.ts";
import type { CellFacts } from "../contract/move.ts";
import type { Mailer } from "../platform/mail.ts";
import type { TargetOptions } from "../platform/resolver.ts";
import type { ServiceState } from "../platform/service-state.ts";
import type { OwnCell } from "../workspace/directory/record.ts";

/** What the front passes to a cell so that the cell can validate the move. */
export interface Moving {
  /** Null if there is no such cell. */
  target: CellFacts | null;
  cells: readonly string[];
  mover: string;
}

/**
 * Everything that this Worker can use, built from its bindings (src/services.ts). Entry points get all of it. An
 * operation declares what it uses, such as `Pick<Services, "db" | "images">`.
 */
export interface Services extends Mailer {
  db: D1Database;
  /** This cell; null if there is only one cell and no directory. */
  cell: OwnCell | null;
  /** Set by the front while a workspace is being moved. */
  moving: Moving | null;
  /**
   * The database for sessions and sign-in links: the directory if there are cells, since a person may work in several;
   * otherwise `db`.
   */
  accounts: D1Database;
  /** The region of the database; null if the platform chose it. */
  region: string | null;
  images: R2Bucket;
  /** The bucket for nightly backups. */
  backups: R2Bucket;
  /** The hour (UTC) at which the nightly backup starts; null for no backups. */
  backupHour: number | null;
  assets: Fetcher;
  coordinators: Pick<Env["ORGANIZATION_COORDINATOR"], "getByName">;
  /** By token id, the minute in which each of an organization's tokens was last used. */
  lastUses(organizationId: string): Promise<Record<string, string>>;
  countDeliveries(organizationId: string, deliveries: number): Promise<void>;
  /** Empties the coordinator of an organization that is being erased. */
  eraseCoordinator(organizationId: string): Promise<void>;
  /** Remembers a sent e-mail, so that a retry does not send it again while its record is still queued. */
  rememberSent(
    organizationId: string,
    mail: { key: string; fingerprint: string; answer: string },
  ): Promise<void>;
  /** Whether the coordinator remembers sending this e-mail. */
  hasSent(organizationId: string, mail: { key: string; fingerprint: string }): Promise<boolean>;
  /** Queues the record of a sent e-mail until the database accepts it (queues/send-records.ts). */
  sendRecords: Queue<SendRecord>;
  /** The dead-letter queue for send records. */
  deadSendRecords: Pick<Queue<SendRecord>, "metrics">;
  /** The dead-letter queue for bounce reports. */
  deadEmailEvents: Pick<Queue, "metrics">;
  queues: DeliveryQueues;
  /** Reserves POSTs to a host. `wanted` is the number for each organization. */
  grantPosts(host: string, wanted: Record<string, number>): Promise<PaceGrant>;
  /** Enqueues an organization's due deliveries after a state change. Never rejects. */
  enqueueDueDeliveries(organizationId: string): Promise<void>;
  fetch: typeof fetch;
  /** Uniform in [0, 1), like Math.random. */
  random(): number;
  /** Decides where webhooks may be sent. */
  webhookTargets: TargetOptions;
  /** Encrypts webhook endpoints' secrets (platform/encryption.ts). */
  webhookSecretKey: string;
  /** The secrets that sign cursors: one, or two during a rotation. */
  cursorKeys: readonly string[];
  /** The key for review code digests. Without a key, the digest of a six-digit code could be brute-forced. */
  codeKey: string;
  /** The private JWK set that signs sign-off proofs. */
  signOffKeys: string;
  /** The secrets that verify payment processor events: one, or two during a rotation. */
  processorSecrets: readonly string[];
  /** Limits 401 responses per sender. */
  unknownSenders: RateLimit;
  /** Whether this visitor to a review may submit another form at this time. */
  mayReadForm(visitor: string): Promise<boolean>;
  /** Like `mayReadForm`, but counts all visitors who have only the review's link together. */
  mayReadFormOf(review: string): Promise<boolean>;
  /** Whether this visitor to a review may load the review again at this time. */
  mayReadReview(visitor: string): Promise<boolean>;
  /** Like `mayReadReview`, but counts all visitors who have only the review's link together. */
  mayReadReviewOf(review: string): Promise<boolean>;
  /** Origins whose pages may call operations, separated by commas. The service's own origin is always allowed. */
  browserOrigins: string;
  /** Called after each cron run in which no job failed. Empty for no heartbeat. */
  heartbeatUrl: string;
  /** Whether the service accepts requests, and whether it accepts writes. */
  serviceState: ServiceState;
  /** The operator's e-mail address. Empty to send no e-mails about the database's size. */
  operatorEmail: string;
}
