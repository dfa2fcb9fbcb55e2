import { and, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import { deliverables } from "../../db/schema/review.ts";
import { allowedOrigins } from "../../db/schema/workspace.ts";

/** A path that ends in the token of a review: `/review/{share_token}`. */
const beforeToken = "/review/";

/** What stands behind `/review/` in a share URL; the index deliverables_by_share_token holds the same expression. */
const shareToken = sql`substr(${deliverables.share_url}, instr(${deliverables.share_url}, '/review/') + 8)`;

export const hasShareToken = (token: string | Placeholder): SQL => eq(shareToken, token) as SQL;

/** Whether an admin lets the links of mails stand where the share URL stands. */
export const standsOnAllowedOrigin = sql<number>`EXISTS (SELECT 1 FROM ${allowedOrigins} WHERE ${and(
  eq(allowedOrigins.organization_id, deliverables.organization_id),
  eq(
    allowedOrigins.origin,
    sql`substr(${deliverables.share_url}, 1, instr(${deliverables.share_url}, '/review/') - 1)`,
  ),
)})`;

/** Where the links of mails stand: a share URL stands wherever a caller's Origin said, which nobody vouches for. */
export const linkBase = (
  applicationUrl: string,
  { shareUrl, isOnAllowedOrigin }: { shareUrl: string; isOnAllowedOrigin: number },
): string => (isOnAllowedOrigin ? shareUrl.slice(0, shareUrl.indexOf(beforeToken)) : applicationUrl);

const shareTokenOf = (shareUrl: string): string =>
  shareUrl.slice(shareUrl.indexOf(beforeToken) + beforeToken.length);

/** The link of a review, which anyone who works with the deliverable can read. */
export const reviewLink = (base: string, shareUrl: string): string =>
  `${base.replace(/\/+$/, "")}${beforeToken}${shareTokenOf(shareUrl)}`;

/** The link that goes to the client's mailbox alone. */
export const personalLink = (base: string, shareUrl: string, key: string): string =>
  `${reviewLink(base, shareUrl)}/${key}`;
