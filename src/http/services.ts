import type { SendRecord } from "../domain/deliverables/record-send.ts";
import type { OrganizationCoordinator, SentMail } from "../durable/organization-coordinator.ts";
import type { Mailer } from "../platform/mail.ts";

/** What requests may use; built once from the bindings. */
export interface Services extends Mailer {
  db: D1Database;
  images: R2Bucket;
  /** Signs cursors; secret. */
  cursorKey: string;
  /** Sign the proofs of sign-offs: a JWK set; secret. */
  signOffKeys: string;
  coordinators: Pick<DurableObjectNamespace<OrganizationCoordinator>, "getByName">;
  /** Counts 401s by address. */
  unknownSenders: RateLimit;
  /** Lets no retry mail again while the record of a mail that went out is on its way. */
  rememberSent(organizationId: string, mail: SentMail): Promise<void>;
  /** Keeps the record of a mail that went out until the database takes it (queues/send-records.ts). */
  sendRecords: Queue<SendRecord>;
  /** Puts an organization's due deliveries on the queue; call it after a state transition. */
  enqueueDueDeliveries(organizationId: string): Promise<void>;
}
