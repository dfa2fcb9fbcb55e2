import { frontHeaders } from "../contract/front.ts";
import { equalInConstantTime } from "../platform/digest.ts";
import { secretsOf } from "../platform/secret.ts";
import { Unavailable } from "../platform/unavailable.ts";

/** A service with a single cell has no front. */
type Keys = { FRONT_KEY?: string | undefined };

/** Whether the front sent a request, so that its headers can be trusted. */
export function isFromFront({ headers }: Request, { FRONT_KEY }: Keys): boolean {
  const given = FRONT_KEY === undefined ? null : headers.get(frontHeaders.key);
  return given !== null && secretsOf(FRONT_KEY).some((key) => equalInConstantTime(given, key));
}

/** Whether the front looked up the token and did not find it. */
export const isUnknownToFront = (request: Request, env: Keys): boolean =>
  isFromFront(request, env) && request.headers.get(frontHeaders.token) === "unknown";

/** Returns the bindings for a request. They differ if the front is closed or could not reach the cell. */
export function envFor(request: Request, env: Env): Env {
  if (!isFromFront(request, env)) return env;
  const state = request.headers.get(frontHeaders.state);
  const isAway = request.headers.get(frontHeaders.cell) === "away";
  if (state === null && !isAway) return env;
  return {
    ...env,
    ...(state !== null && { SERVICE_STATE: state }),
    ...(isAway && { DB: outOfReach, DIRECTORY: outOfReach }),
  };
}

/** Fails on every use, so that each entry point can return the error in its own format. */
const outOfReach = new Proxy({} as D1Database, {
  get() {
    throw new Unavailable("lasting", new Error("the cell or the directory is away"));
  },
});
