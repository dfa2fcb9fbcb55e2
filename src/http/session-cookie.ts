import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { sessionLimits } from "../contract/session-limits.ts";
import { isSecret } from "../platform/secret.ts";

/**
 * Browsers accept a `__Host-` cookie only over HTTPS, so it cannot have been set by another host, another path or an
 * unencrypted response.
 */
const cookieOf = (c: Context) => {
  const secure = new URL(c.req.url).protocol === "https:";
  return { name: secure ? "__Host-session" : "session", secure, path: "/" };
};

/** Returns the secret that the browser sends, valid or not; undefined if it is malformed. */
export function sessionSecret(c: Context): string | undefined {
  const secret = getCookie(c, cookieOf(c).name);
  return isSecret(secret) ? secret : undefined;
}

/**
 * Sets the session cookie. `Lax`: another site cannot make the browser send it with a form or a fetch, but a link in an
 * e-mail can.
 */
export function rememberSession(c: Context, secret: string): void {
  const { name, ...where } = cookieOf(c);
  setCookie(c, name, secret, {
    ...where,
    httpOnly: true,
    sameSite: "Lax",
    maxAge: sessionLimits.days * 86_400,
  });
}

export function forgetSession(c: Context): void {
  const { name, ...where } = cookieOf(c);
  deleteCookie(c, name, { ...where, httpOnly: true, sameSite: "Lax" });
}
