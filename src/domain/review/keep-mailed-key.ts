import { sql } from "drizzle-orm";
import { reviewLimits } from "../../contract/review-limits.ts";
import { insertSelect, statement } from "../../db/build.ts";
import { run } from "../../db/query.ts";
import { reviewKeys } from "../../db/schema/review.ts";
import { within } from "../../platform/time-limit.ts";
import { newReviewKey, personalLink, reviewKeyHash } from "./review-token.ts";

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
 * carries a link that proves nothing; of a mail that fails, a key is left that nobody has.
 */
export async function mailedLink(db: D1Database, base: string, mailing: Mailing): Promise<string> {
  const key = newReviewKey();
  const insert = insertSelect(
    reviewKeys,
    {
      key_hash: reviewKeyHash(key),
      organization_id: mailing.organizationId,
      deliverable_id: mailing.deliverableId,
      email: mailing.clientEmail,
      attribution: "mailed_link",
      expires_at: sql.raw(`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+${reviewLimits.mailedKeyDays} days')`),
    },
    sql`WHERE true`,
  );
  await within(timeLimitMs, run(db, statement(insert)));
  return personalLink(base, mailing.shareUrl, key);
}
