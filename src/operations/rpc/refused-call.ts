import type { Refusal } from "../../contract/refusal.ts";
import { statusOfOperation } from "../../http/responses.ts";
import { note } from "../../platform/log.ts";

/** Formats a refusal as an RPC error (contract S9). */
export function refusedCall(refusal: Refusal): Response {
  const { name, text: message, hint, headers } = refusal;
  note({ code: name });
  return Response.json({ message, hint }, { status: statusOfOperation(refusal), headers });
}
