import canonicalize from "canonicalize";
import { Refusal } from "../contract/refusal.ts";
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
  const read = await readBody(raw, route);
  if (read instanceof Refusal) return refusalAmong(params, query, read);
  const given = route.refusesNulls ? read.json : withoutAbsent(route.body, read.json);
  const body = validate(route.body, given);
  if (params instanceof Refusal || query instanceof Refusal || body instanceof Refusal)
    return refusalAmong(params, query, body);
  const bodyHash = route.idempotent ? sha256Hex(canonicalize(given) ?? "") : "";
  return { params, body, bodyHash };
}
