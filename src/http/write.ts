import { limits } from "../contract/limits.ts";
import { Refusal } from "../contract/refusal.ts";
import { note } from "../platform/log.ts";
import { carryOut } from "./carry-out.ts";
import { admit, authenticate, checkWriter } from "./check-caller.ts";
import { type Attempt, decide, load } from "./decide-write.ts";
import { DryRunParameters, withoutKey } from "./dry-run.ts";
import type { PartnerRequest } from "./partner-request.ts";
import { noteSubject } from "./request-log.ts";
import { errorResponse } from "./responses.ts";
import type { Success, WriteDeclaration, WriteFunctions, WriteRoute, WriteSettings } from "./route.ts";
import { serialize } from "./serialize.ts";
import { readInput } from "./write-input.ts";

const defaults: WriteSettings = { status: 201, idempotent: true, maximumBodyBytes: limits.bodyBytes };

/**
 * Declares a write. A request costs two round trips to D1 and one to the coordinator. A replay costs one round trip to
 * each.
 */
export const write = <Params, Body, Data>(
  declared: WriteFunctions<Params, Body, Data> & Partial<WriteSettings>,
): WriteRoute => {
  const route = { ...defaults, ...declared };
  return {
    ...route,
    ...(route.ignoresUnknown ? {} : { query: DryRunParameters }),
    kind: "write",
    method: "post",
    async handle(request) {
      const response = await handleWrite(route, request);
      return response instanceof Refusal ? errorResponse(response) : response;
    },
  };
};

/**
 * Handles a write (contract R1, steps 5 to 14). The first round trip reads the token, any earlier request with
 * this key and the data for the decision; the second does the work and writes its entry in the ledger.
 */
async function handleWrite<Params, Body, Data>(
  route: WriteDeclaration<Params, Body, Data>,
  request: PartnerRequest,
): Promise<Response | Refusal> {
  const slot = await admit(route, request);
  if (slot instanceof Refusal) return slot;
  try {
    const input = await readInput(route, request);
    if (input instanceof Refusal)
      return (slot.isCounted ? undefined : await checkWriter(route, request)) ?? input;
    const attempt = { route, request, input };
    const loaded = await load(attempt);
    const actor = authenticate(loaded.actor, request);
    if (actor instanceof Refusal) return actor;
    const decision = decide(attempt, actor, loaded);
    const outcome = await carryOut(attempt, actor, decision, slot);
    return outcome instanceof Refusal ? outcome : responseOf(attempt, outcome);
  } finally {
    slot.release();
  }
}

function responseOf<Params, Body, Data>(
  { route, request, input }: Attempt<Params, Body, Data>,
  { answer, isReplay }: Success,
): Response {
  if (isReplay) note({ replay: true });
  const mark = isReplay ? { idempotent_replay: true } : {};
  const status = isReplay ? 200 : route.status;
  if (input.isDry) {
    const shown = serialize(route.dryRunAnswer ?? route.answer, withoutKey(answer, request.id));
    return Response.json({ dry_run: true, would_be: status, ...shown, ...mark });
  }
  if ("id" in answer) noteSubject(answer.id);
  return Response.json({ ...serialize(route.answer, answer), ...mark }, { status });
}
