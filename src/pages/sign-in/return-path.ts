import { connectLimits } from "../../contract/connect-limits.ts";
import { authorizePath } from "../../contract/connect-paths.ts";
import { sessionLimits } from "../../contract/session-limits.ts";

/** An origin that none of our services has. A text that leads to another origin leads to another site. */
const ownOrigin = "https://settings.invalid";

/**
 * The page that a text names, of the settings or with an app's request; null if it leads anywhere else. Parsed as
 * browsers parse addresses, so that `//host`, `/\host` and `/settings/../` are what they lead to.
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

/** An address of the sign-in page that leads back to a page afterwards. */
export const signInFor = (returnPath: string | null, address = "/sign-in"): string =>
  returnPath === null
    ? address
    : `${address}${address.includes("?") ? "&" : "?"}return_to=${encodeURIComponent(returnPath)}`;
