import { type Refusal, refuse } from "../contract/refusal.ts";
import { note } from "../platform/log.ts";
import type { PartnerRequest } from "./partner-request.ts";
import { noWindowHeaders } from "./responses.ts";
import { forgetToken } from "./senders.ts";
import { countUnknownSender } from "./unknown-senders.ts";

/** The 401 of a token that nobody has, or that has ended; it counts against its sender. */
export function refuseToken(request: PartnerRequest): Refusal {
  forgetToken(request.tokenHash);
  note({ token_id: undefined });
  request.setHeaders(noWindowHeaders);
  request.waitUntil(countUnknownSender(request.services, request.address));
  return refuse("invalid_token");
}
