import { connectLimits } from "../../contract/connect-limits.ts";
import { authorizePath } from "../../contract/connect-paths.ts";
import { sessionLimits } from "../../contract/session-limits.ts";

/** A placeholder origin. If a path resolves to a different origin, it leads to another site. */
const ownOrigin = "https://settings.invalid";

/**
 * Returns the path to a settings page or an app's request; null if it leads elsewhere. Parses it as browsers do, so
 * that `//host`, `/\host` and `/settings/../` are resolved.
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

/** Returns the path to the sign-in page that returns to the given page afterwards. */
export const signInFor = (returnPath: string | null, address = "/sign-in"): string =>
  returnPath === null
    ? address
    : `${address}${address.includes("?") ? "&" : "?"}return_to=${encodeURIComponent(returnPath)}`;
