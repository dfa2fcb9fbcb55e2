import { Refusal } from "../contract/failures.ts";
import { batch } from "../db/query.ts";
import { findPrincipal } from "../domain/principal.ts";
import { answered, CountedError, rateHeaders, refused } from "./answers.ts";
import { authenticate, checkScope, rateLimited } from "./authenticate.ts";
import { documented } from "./documented.ts";
import type { ReadRequest, ReadRoute } from "./operation.ts";
import { validate } from "./validate.ts";

/** A read: one trip to D1 for the principal and the data, one to the gate (CONTRACT 1, steps 5 to 14). */
export async function handleRead(
  route: ReadRoute,
  tokenHash: string,
  input: { params: unknown; query: unknown },
  env: Env,
): Promise<Response> {
  const request = arrive(route, tokenHash, input, env.CURSOR_KEY);
  const load = request instanceof Refusal ? request : route.load(request);
  const queries = load instanceof Refusal ? [] : [load];
  const [found, loaded] = await batch(env.DB, [findPrincipal(tokenHash), ...queries]);
  const principal = authenticate(found);
  if (principal instanceof Refusal) return refused(principal);

  const gate = env.ORGANIZATION_COORDINATOR.getByName(principal.organizationId);
  const admission = await gate.count(principal.requestsPerMinute);
  const headers = rateHeaders(principal.requestsPerMinute, admission.resetSeconds);
  if (admission.outcome === "limited") return refused(rateLimited(admission.resetSeconds), headers);

  const refusal = checkScope(principal, route.scope);
  if (refusal) return refused(refusal, headers);
  if (request instanceof Refusal) return refused(request, headers);
  if (load instanceof Refusal) return refused(load, headers);
  try {
    const answer = route.present(loaded, request, principal);
    if (answer instanceof Refusal) return refused(answer, headers);
    return answered(documented(route.answer, answer), 200, headers);
  } catch (cause) {
    throw new CountedError(cause, headers);
  }
}

function arrive(
  route: ReadRoute,
  tokenHash: string,
  input: { params: unknown; query: unknown },
  cursorKey: string,
): ReadRequest | Refusal {
  const params = route.params && validate(route.params, input.params);
  if (params?.refusal) return params.refusal;
  const query = route.query && validate(route.query, input.query);
  if (query?.refusal) return query.refusal;
  return { tokenHash, cursorKey, params: params?.value, query: query?.value };
}
