import { randomBytes } from "node:crypto";

/** Not to be guessed: whoever has the link may review. */
const tokenBytes = 24;

/** Where a client reviews a deliverable: under the caller's origin if that is https, else under the application. */
export function shareUrl(origin: string | null, applicationUrl: string): string {
  const base = isHttpsOrigin(origin) ? origin : applicationUrl.replace(/\/+$/, "");
  return `${base}/review/${randomBytes(tokenBytes).toString("base64url")}`;
}

function isHttpsOrigin(origin: string | null): origin is string {
  if (!origin?.startsWith("https://") || !URL.canParse(origin)) return false;
  return new URL(origin).origin === origin;
}
