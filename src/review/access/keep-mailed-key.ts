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

/** Creating the link, sending it and recording the e-mail all end within the claim's lease. */
const timeLimitMs = 4_000;

export interface Mailing {
  organizationId: string;
  deliverableId: string;
  shareUrl: string;
  clientEmail: string;
  /** For a reminder, which is sent only while it is pending. */
  reminderDueAt?: string | undefined;
}

/**
 * Stores the key of a personal link; returns whether it did. It does not if the e-mail must not be sent,
 * because the client's address or the state has changed since it was read.
 */
export const keepMailedKey = (mailing: Mailing, key: string): Query<boolean> =>
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
 * Creates the personal link for one e-mail. The key is stored before the e-mail is sent, so that every link
 * that arrives works; a failed e-mail leaves a key that no one received. `line` goes into the ledger with the
 * key. Null: the e-mail must not be sent.
 */
export async function mailedLink(
  db: D1Database,
  base: string,
  mailing: Mailing,
  line?: { dropExpired: Query<void>; begin: Query<void> },
): Promise<string | null> {
  const key = newSecret();
  const { dropExpired, begin } = line ?? { dropExpired: noQuery, begin: noQuery };
  const keeping = batch(db, [dropExpired, keepMailedKey(mailing, key), begin]);
  const [, isKept] = await withTimeout(timeLimitMs, keeping);
  return isKept ? personalLink(base, mailing.shareUrl, key) : null;
}
