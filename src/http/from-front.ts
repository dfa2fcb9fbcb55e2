import { frontHeaders } from "../contract/front.ts";
import { equalInConstantTime } from "../platform/digest.ts";
import { secretsOf } from "../platform/secret.ts";
import { Unavailable } from "../platform/unavailable.ts";

/** Set only in a cell, since a service of one cell has no front. */
type Keys = { FRONT_KEY?: string | undefined };

/** Whether the front sent a request, so that its headers can be trusted. */
export function isFromFront({ headers }: Request, { FRONT_KEY }: Keys): boolean {
  if (FRONT_KEY === undefined) return false;
  const given = headers.get(frontHeaders.key) ?? "";
  return secretsOf(FRONT_KEY).some((key) => equalInConstantTime(given, key));
}

/** Whether the front looked the token up and did not find it, so that no statement needs to. */
export const isUnknownToFront = (request: Request, env: Keys): boolean =>
  isFromFront(request, env) && request.headers.get(frontHeaders.token) === "unknown";

/** The bindings for a request: the front may be closed, or the request's cell out of reach. */
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

/** Stands for a database that the front could not reach, so that each entry point refuses in its own format. */
const outOfReach = new Proxy({} as D1Database, {
  get() {
    throw new Unavailable("lasting", new Error("the cell or the directory is away"));
  },
});
