import { randomBytes } from "node:crypto";
import { and, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import { isComplete } from "../../db/fencing.ts";
import { allowedOrigins } from "../../workspace/origins/tables.ts";
import { deliverables } from "../deliverables/tables.ts";

/** A review's path is `/review/{share_token}`. */
const beforeToken = "/review/";

/** The workspace's prefix and 144 random bits. Anyone with the link can review, so it must not be guessable. */
const tokenCharacters = 32;

/** Whether a string is formatted like a link's token. Other strings need no query. */
export const isShareToken = (text: string): boolean => /^[\w-]{32}$/.test(text);

/**
 * Creates the URL where a client reviews a deliverable: under the caller's origin if that is HTTPS, otherwise under the
 * application's. The link's token begins with the workspace's prefix (contract X5).
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

/** Matches a link's deliverable. An imported workspace's links work once the import is complete. */
export const hasShareToken = (token: string | Placeholder): SQL | undefined =>
  and(eq(shareToken, token), isComplete(deliverables.organization_id));

/** Whether an admin has allowed links in e-mails to the share URL's origin. */
export const isOnAllowedOrigin = sql<number>`EXISTS (SELECT 1 FROM ${allowedOrigins} WHERE ${and(
  eq(allowedOrigins.organization_id, deliverables.organization_id),
  eq(allowedOrigins.origin, sql`substr(${deliverables.share_url}, 1, ${pathStart} - 1)`),
)})`;

/**
 * Returns the base URL for links in e-mails. The share URL's origin comes from a caller, so it needs an admin's
 * permission.
 */
export const linkBase = (
  applicationUrl: string,
  { shareUrl, isOnAllowedOrigin }: { shareUrl: string; isOnAllowedOrigin: number },
): string => (isOnAllowedOrigin ? shareUrl.slice(0, shareUrl.indexOf(beforeToken)) : applicationUrl);

/** Returns the link to a review, visible to everyone who works with the deliverable. */
export const reviewLink = (base: string, shareUrl: string): string =>
  `${base}${shareUrl.slice(shareUrl.indexOf(beforeToken))}`;

/** Returns the link that is only e-mailed to the client. */
export const personalLink = (base: string, shareUrl: string, key: string): string =>
  `${reviewLink(base, shareUrl)}/${key}`;
