import { Refusal } from "../contract/refusal.ts";
import { batch, mapped, type Query, run } from "../db/query.ts";
import { findPrincipal, type Principal } from "../workspace/tokens/principal.ts";
import { authenticate, checkScopes, count } from "./check-caller.ts";
import type { PartnerRequest } from "./partner-request.ts";
import { errorResponse } from "./responses.ts";
import type { Presented, ReadDeclaration, Reader, ReadRoute } from "./route.ts";
import { isLimited, isRefusedSender, lacksScope, reserveUncountedRead } from "./senders.ts";
import { serialize } from "./serialize.ts";
import { refusalAmong, validate, validateQuery } from "./validate.ts";
import { waitFor } from "./wait.ts";

/** Declares a read. Each request costs one round trip to D1 and one to the coordinator. */
export const read = <Params, Parameters, Data>(
  declared: ReadDeclaration<Params, Parameters, Data>,
): ReadRoute => ({
  ...declared,
  kind: "read",
  method: "get",
  status: 200,
  handle: (request) => handleRead(declared, request),
});

async function handleRead<Params, Parameters, Data>(
  route: ReadDeclaration<Params, Parameters, Data>,
  request: PartnerRequest,
): Promise<Response> {
  const { services, tokenHash } = request;
  const data = loadData(route, request);
  // Does not load data for a request that will probably be rejected. If it is accepted, the data is loaded afterwards.
  const isPostponed =
    data instanceof Refusal ||
    isLimited(tokenHash, Date.now()) ||
    lacksScope(tokenHash, route.scope) ||
    isRefusedSender(tokenHash, request.address);
  const counted = await findAndCount(request, isPostponed ? undefined : data);
  if (counted instanceof Refusal) return errorResponse(counted);
  const { principal, lastUsedAt, loaded } = counted;
  const refusal = checkScopes(principal, [
    route.scope,
    ...(route.neededScopes?.(new URL(request.raw.url).searchParams) ?? []),
  ]);
  if (refusal) return errorResponse(refusal);
  if (data instanceof Refusal) return errorResponse(data);
  const present = loaded ?? (await run(services.db, data));
  const wait: Reader["wait"] = (waiting) => waitFor(request, principal, waiting);
  const answer = await present({ principal, lastUsedAt, wait });
  if (answer instanceof Response) return answer;
  return answer instanceof Refusal ? errorResponse(answer) : Response.json(serialize(route.answer, answer));
}

/** Authenticates and counts the caller. If possible, loads the data in the same round trip. */
async function findAndCount<T>(
  request: PartnerRequest,
  data: Query<T> | undefined,
): Promise<{ principal: Principal; lastUsedAt: string | null; loaded?: T | undefined } | Refusal> {
  const { services, tokenHash } = request;
  const free = data && reserveUncountedRead(tokenHash);
  try {
    const [found, loaded] =
      data && free
        ? await batch(services.db, [findPrincipal(tokenHash), data])
        : [await run(services.db, findPrincipal(tokenHash))];
    const principal = authenticate(found, request);
    if (principal instanceof Refusal) return principal;
    const counted = await count(request, principal);
    return counted instanceof Refusal ? counted : { principal, lastUsedAt: counted.lastUsedAt, loaded };
  } finally {
    free?.();
  }
}

/** Validates the input. The data becomes the response once the caller is authenticated. */
function loadData<Params, Parameters, Data>(
  route: ReadDeclaration<Params, Parameters, Data>,
  { tokenHash, services, raw, ...asked }: PartnerRequest,
): Query<(reader: Reader) => Presented | Promise<Presented>> | Refusal {
  const params = validate(route.params, asked.params);
  const query = validateQuery(route, raw.url);
  if (params instanceof Refusal || query instanceof Refusal) return refusalAmong(params, query);
  const { headers } = raw;
  const input = { tokenHash, services, headers, params, query };
  const load = route.load(input);
  if (load instanceof Refusal) return load;
  return mapped(load, (loaded) => (reader) => route.present(loaded, input, reader));
}
