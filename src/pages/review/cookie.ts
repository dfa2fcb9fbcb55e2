import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { isOneLine } from "../../contract/characters.ts";
import { reviewLimits } from "../../contract/review-limits.ts";
import { isSecret, secretHash } from "../../platform/secret.ts";

const name = "review_key";

const lifeSeconds = {
  mailed_link: reviewLimits.mailedKeyDays * 86_400,
  mailed_code: reviewLimits.codeKeyHours * 3_600,
} as const;

/** Remembers a key for this review only; Lax, so that the link in an e-mail still sends it along. */
export const rememberKey = (c: Context, path: string, key: string, from: keyof typeof lifeSeconds): void =>
  setCookie(c, name, key, {
    path,
    httpOnly: true,
    secure: new URL(c.req.url).protocol === "https:",
    sameSite: "Lax",
    maxAge: lifeSeconds[from],
  });

const nameCookie = "review_name";

/** Keeps a name for the visit: the cookie ends with the browser. */
export const rememberName = (c: Context, path: string, visitorName: string): void =>
  setCookie(c, nameCookie, visitorName, {
    path,
    httpOnly: true,
    secure: new URL(c.req.url).protocol === "https:",
    sameSite: "Lax",
  });

/** The name that the visitor gave before in this review. */
export const rememberedName = (c: Context): string | undefined => {
  const given = getCookie(c, nameCookie);
  return given && given.length <= reviewLimits.nameCharacters && isOneLine(given) ? given : undefined;
};

/** The digest of the visitor's key; empty if it is missing or invalid. */
export function keyHashOf(c: Context): string {
  const key = getCookie(c, name);
  return isSecret(key) ? secretHash(key) : "";
}
