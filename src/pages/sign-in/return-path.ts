import { connectLimits } from "../../contract/connect-limits.ts";
import { authorizePath } from "../../contract/connect-paths.ts";
import { sessionLimits } from "../../contract/session-limits.ts";

/** An origin that belongs to none of our services. A path that resolves to another origin leads to another site. */
const ownOrigin = "https://settings.invalid";

/**
 * The settings page, or the page of an app's request, that a text names; null if it leads elsewhere. Parsed as
 * browsers do, so that `//host`, `/\host` and `/settings/../` are what they lead to.
 */
export function returnPathOf(text: unknown): string | null {
  const url = typeof text === "string" ? URL.parse(text, ownOrigin) : null;
  if (url?.origin !== ownOrigin) return null;
  const path = url.pathname + url.search;
  if (url.pathname === authorizePath)
    return url.search.length - 1 <= connectLimits.queryCharacters ? path : null;
  const isSettings = /^\/settings\/./.test(url.pathname);
  return isSettings && path.length <= sessionLimits.returnPathCharacters ? path : null;
}

/** The address of the sign-in page that returns to a page afterwards. */
export const signInFor = (returnPath: string | null, address = "/sign-in"): string =>
  returnPath === null
    ? address
    : `${address}${address.includes("?") ? "&" : "?"}return_to=${encodeURIComponent(returnPath)}`;
