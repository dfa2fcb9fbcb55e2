import { and, eq, sql } from "drizzle-orm";
import { reviewLimits } from "../../contract/review-limits.ts";
import { changesRow, insertSelect } from "../../db/build.ts";
import { run } from "../../db/query.ts";
import { nowWith } from "../../db/schema/columns.ts";
import { deliverables, reviewKeys } from "../../db/schema/review.ts";
import { clients } from "../../db/schema/work.ts";
import { newSecret, secretHash } from "../../platform/secret.ts";
import { within } from "../../platform/time-limit.ts";
import { personalLink } from "./share-url.ts";

/** With the mail and its record behind it, all ends within the claim's lease. */
const timeLimitMs = 4_000;

interface Mailing {
  organizationId: string;
  deliverableId: string;
  shareUrl: string;
  clientEmail: string;
}

/**
 * Makes the personal link for one mail. Its key is known to the database before the mail is on its way, so that no mail
 * carries a link that proves nothing; of a mail that fails, a key is left that nobody has. Null: since the client was
 * read they have another address, or their work was signed off, and this mail must not go out.
 */
export async function mailedLink(db: D1Database, base: string, mailing: Mailing): Promise<string | null> {
  const key = newSecret();
  const insert = insertSelect(
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
      eq(clients.email, mailing.clientEmail),
      sql`NOT (${deliverables.is_sample} OR ${clients.is_sample})`,
    )} RETURNING key_hash`,
  );
  const isKept = await within(timeLimitMs, run(db, changesRow(insert)));
  return isKept ? personalLink(base, mailing.shareUrl, key) : null;
}
