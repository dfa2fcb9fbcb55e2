import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { isOneLine } from "../../contract/characters.ts";
import { characterCount } from "../../contract/fields.ts";
import { reviewLimits } from "../../contract/review-limits.ts";
import { sha256Hex } from "../../platform/digest.ts";
import { isSecret, secretHash } from "../../platform/secret.ts";

const name = "review_key";

const lifeSeconds = {
  mailed_link: reviewLimits.mailedKeyDays * 86_400,
  mailed_code: reviewLimits.codeKeyHours * 3_600,
} as const;

/**
 * Stores a key in cookies for this review and for verifying its proof. They are Lax, so that browsers send them when
 * the client follows a link in an e-mail.
 */
export function rememberKey(
  c: Context,
  shareToken: string,
  key: string,
  from: keyof typeof lifeSeconds,
): void {
  const options = {
    httpOnly: true,
    secure: new URL(c.req.url).protocol === "https:",
    sameSite: "Lax",
    maxAge: lifeSeconds[from],
  } as const;
  setCookie(c, name, key, { ...options, path: `/review/${shareToken}` });
  setCookie(c, nameForProof(shareToken), key, { ...options, path: "/verify" });
}

/**
 * All proofs are verified at one path, so the cookie's name identifies the review. It contains a digest, because the
 * link is a secret.
 */
const nameForProof = (shareToken: string): string => `${name}_${sha256Hex(shareToken).slice(0, 16)}`;

const nameCookie = "review_name";

/** Stores the visitor's name until the browser session ends. */
export const rememberName = (c: Context, path: string, visitorName: string): void =>
  setCookie(c, nameCookie, visitorName, {
    path,
    httpOnly: true,
    secure: new URL(c.req.url).protocol === "https:",
    sameSite: "Lax",
  });

/** Returns the name that the visitor gave earlier in this review. */
export const rememberedName = (c: Context): string | undefined => {
  const given = getCookie(c, nameCookie);
  const isName = given && characterCount(given) <= reviewLimits.nameCharacters && isOneLine(given);
  return isName ? given : undefined;
};

/** Returns the digest of the visitor's key; empty if it is missing or invalid. */
export const keyHashOf = (c: Context): string => hashIn(c, name);

/** Returns the digest of the visitor's key, on the page that verifies a proof. */
export const keyHashForProof = (c: Context, shareToken: string): string =>
  hashIn(c, nameForProof(shareToken));

function hashIn(c: Context, name: string): string {
  const key = getCookie(c, name);
  return isSecret(key) ? secretHash(key) : "";
}
