import canonicalize from "canonicalize";
import { Refusal } from "../contract/refusal.ts";
import { sha256Hex } from "../platform/digest.ts";
import { idempotencyKeyOf } from "./check-caller.ts";
import { DryRunParameters, isDryRun } from "./dry-run.ts";
import type { PartnerRequest } from "./partner-request.ts";
import { readBody, withoutAbsent } from "./read-body.ts";
import type { WriteDeclaration, WriteInput } from "./route.ts";
import { refusalAmong, validate, validateQuery } from "./validate.ts";

/** Step 12: reads and validates the parameters and the body. */
export async function readInput<Params, Body, Data>(
  route: WriteDeclaration<Params, Body, Data>,
  request: PartnerRequest,
): Promise<WriteInput<Params, Body> | Refusal> {
  const { raw, tokenHash, id } = request;
  const params = validate(route.params, request.params);
  const query = validateQuery({ query: DryRunParameters, ignoresUnknown: route.ignoresUnknown }, raw.url);
  const read = await readBody(raw, route);
  if (read instanceof Refusal) return refusalAmong(params, query, read);
  const given = route.refusesNulls ? read.json : withoutAbsent(route.body, read.json);
  const body = validate(route.body, given);
  if (params instanceof Refusal || query instanceof Refusal || body instanceof Refusal)
    return refusalAmong(params, query, body);
  const key = idempotencyKeyOf(route, request);
  const bodyHash = route.idempotent ? sha256Hex(canonicalize(given) ?? "") : "";
  return {
    tokenHash,
    params,
    body,
    bodyHash,
    key: key ?? id,
    hasKey: key !== null,
    isDry: isDryRun(route, request),
    origin: raw.headers.get("origin"),
  };
}
