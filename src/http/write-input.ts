import canonicalize from "canonicalize";
import type { Refusal } from "../contract/refusal.ts";
import { sha256Hex } from "../platform/digest.ts";
import { DryRunParameters } from "./dry-run.ts";
import type { PartnerRequest } from "./partner-request.ts";
import { readBody, withoutAbsent } from "./read-body.ts";
import type { WriteDeclaration } from "./route.ts";
import { refusalAmong, validate, validateQuery } from "./validate.ts";

/** A write's validated input. */
export interface Input<Params, Body> {
  params: Params;
  body: Body;
  /** SHA-256 of the canonical body. The body itself is not kept, because it may contain an image. */
  bodyHash: string;
}

/** Step 12: reads the parameters and the body. */
export async function readInput<Params, Body, Data>(
  route: WriteDeclaration<Params, Body, Data>,
  { raw, params: named }: PartnerRequest,
): Promise<Input<Params, Body> | Refusal> {
  const params = validate(route.params, named);
  const query = validateQuery({ query: DryRunParameters, ignoresUnknown: route.ignoresUnknown }, raw.url);
  const json = await readBody(raw, route);
  const given = route.refusesNulls || json.refusal ? json.value : withoutAbsent(route.body, json.value);
  const body = json.refusal ? json : validate(route.body, given);
  if (params.refusal || query.refusal || body.refusal) return refusalAmong(params, query, body);
  const bodyHash = route.idempotent ? sha256Hex(canonicalize(given) ?? "") : "";
  return { params: params.value, body: body.value, bodyHash };
}
