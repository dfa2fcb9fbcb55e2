import { and, eq, sql } from "drizzle-orm";
import { reviewLimits } from "../../contract/review-limits.ts";
import { changesRow, insertSelect } from "../../db/build.ts";
import { nowWith } from "../../db/columns.ts";
import { batch, noQuery, type Query } from "../../db/query.ts";
import { newSecret, secretHash } from "../../platform/secret.ts";
import { withTimeout } from "../../platform/timeout.ts";
import { clients } from "../../work/clients/tables.ts";
import { deliverables } from "../deliverables/tables.ts";
import { personalLink } from "./share-url.ts";
import { reviewKeys } from "./tables.ts";

/** The timeout for storing a link, which leaves time to send and record the e-mail within the claim's lease. */
const timeLimitMs = 4_000;

export interface Mailing {
  organizationId: string;
  deliverableId: string;
  shareUrl: string;
  clientEmail: string;
  /** Set for a reminder, which is sent only if it is still due at this time. */
  reminderDueAt?: string | undefined;
}

/**
 * Stores a personal link's key. Returns false if the e-mail must not be sent, because the client's address or the
 * review's state has changed since it was read.
 */
export const saveMailedKey = (mailing: Mailing, key: string): Query<boolean> =>
  changesRow(
    insertSelect(
      reviewKeys,
      {
        key_hash: secretHash(key),
        organization_id: mailing.organizationId,
        deliverable_id: mailing.deliverableId,
        email: mailing.clientEmail,
        attribution: "mailed_link",
        expires_at: nowWith(`+${reviewLimits.mailedKeyDays} days`),
      },
      sql`FROM ${deliverables} JOIN ${clients} ON ${eq(clients.id, deliverables.client_id)} WHERE ${and(
        eq(deliverables.id, mailing.deliverableId),
        eq(deliverables.organization_id, mailing.organizationId),
        eq(deliverables.current_state, "open"),
        mailing.reminderDueAt === undefined
          ? undefined
          : eq(deliverables.reminder_due_at, mailing.reminderDueAt),
        eq(clients.email, mailing.clientEmail),
        sql`NOT (${deliverables.is_sample} OR ${clients.is_sample})`,
      )} RETURNING key_hash`,
    ),
  );

/**
 * Creates the personal link for one e-mail. Returns null if the e-mail must not be sent. The key is stored first, so
 * that every link that arrives works. If the e-mail fails, the key stays unused. `line` writes the ledger entry in the
 * same batch.
 */
export async function mailedLink(
  db: D1Database,
  base: string,
  mailing: Mailing,
  line?: { dropExpired: Query<void>; begin: Query<void> },
): Promise<string | null> {
  const key = newSecret();
  const { dropExpired, begin } = line ?? { dropExpired: noQuery, begin: noQuery };
  const keeping = batch(db, [dropExpired, saveMailedKey(mailing, key), begin]);
  const [, isKept] = await withTimeout(timeLimitMs, keeping);
  return isKept ? personalLink(base, mailing.shareUrl, key) : null;
}
