import { randomBytes } from "node:crypto";
import { and, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import { isWhole } from "../../db/fencing.ts";
import { allowedOrigins } from "../../workspace/origins/tables.ts";
import { deliverables } from "../deliverables/tables.ts";

/** The path of a review ends in the token of its link: `/review/{share_token}`. */
const beforeToken = "/review/";

/** The prefix and 144 random bits, so that it cannot be guessed: anyone with the link may review. */
const tokenCharacters = 32;

/** Whether a text is formatted like a link's token; any other is not worth a query. */
export const isShareToken = (text: string): boolean => /^[\w-]{32}$/.test(text);

/**
 * Where a client reviews a new deliverable: under the caller's origin if that is https, otherwise under the
 * application. The link's token begins with the workspace's prefix (contract X5).
 */
export function shareUrl(origin: string | null, applicationUrl: string, linkPrefix: string): string {
  const base = isHttpsOrigin(origin) ? origin : applicationUrl;
  const token = `${linkPrefix}${randomBytes(tokenCharacters).toString("base64url")}`.slice(
    0,
    tokenCharacters,
  );
  return `${base}${beforeToken}${token}`;
}

function isHttpsOrigin(origin: string | null): origin is string {
  if (!origin?.startsWith("https://") || !URL.canParse(origin)) return false;
  return new URL(origin).origin === origin;
}

const pathStart = sql`instr(${deliverables.share_url}, ${sql.raw(`'${beforeToken}'`)})`;

/** The token in a share URL; the index deliverables_by_share_token uses the same expression. */
export const shareToken = sql<string>`substr(${deliverables.share_url}, ${pathStart} + ${sql.raw(String(beforeToken.length))})`;

/** The deliverable of a link. Links of a workspace that is being imported work once the import is complete. */
export const hasShareToken = (token: string | Placeholder): SQL | undefined =>
  and(eq(shareToken, token), isWhole(deliverables.organization_id));

/** Whether an admin allowed the origin of the share URL for links in e-mails. */
export const standsOnAllowedOrigin = sql<number>`EXISTS (SELECT 1 FROM ${allowedOrigins} WHERE ${and(
  eq(allowedOrigins.organization_id, deliverables.organization_id),
  eq(allowedOrigins.origin, sql`substr(${deliverables.share_url}, 1, ${pathStart} - 1)`),
)})`;

/** The base of links in e-mails. The share URL's origin comes from a caller, so an admin must allow it. */
export const linkBase = (
  applicationUrl: string,
  { shareUrl, isOnAllowedOrigin }: { shareUrl: string; isOnAllowedOrigin: number },
): string => (isOnAllowedOrigin ? shareUrl.slice(0, shareUrl.indexOf(beforeToken)) : applicationUrl);

/** The link of a review, visible to everyone who works with the deliverable. */
export const reviewLink = (base: string, shareUrl: string): string =>
  `${base}${shareUrl.slice(shareUrl.indexOf(beforeToken))}`;

/** The link that is sent only to the client's mailbox. */
export const personalLink = (base: string, shareUrl: string, key: string): string =>
  `${reviewLink(base, shareUrl)}/${key}`;
