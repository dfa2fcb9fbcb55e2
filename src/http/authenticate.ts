import { type Refusal, refuse } from "../contract/failures.ts";
import type { Scope } from "../contract/scopes.ts";
import type { Principal } from "../domain/principal.ts";
import { equalInConstantTime, sha256Hex } from "../platform/digest.ts";

const bearerPattern = /^Bearer (svc_[a-f0-9]{36})$/;

/** Steps 4 and 5 before any lookup: the gateway's key, then the strict form of the token; answers its SHA-256. */
export function identify(headers: Headers, gatewayPublicKey: string): string | Refusal {
  if (!equalInConstantTime(headers.get("apikey") ?? "", gatewayPublicKey)) return refuse("invalid_apikey");
  const token = bearerPattern.exec(headers.get("authorization") ?? "")?.[1];
  return token ? sha256Hex(token) : refuse("invalid_token");
}

/** Steps 5 and 6: the token is known and its organization has API access. */
export function authenticate<P extends Principal>(principal: P | null): P | Refusal {
  if (!principal) return refuse("invalid_token");
  return principal.hasApiAccess ? principal : refuse("api_access_required");
}

/** Step 8. */
export const checkScope = (principal: Principal, scope: Scope): Refusal | undefined =>
  principal.scopes.includes(scope) ? undefined : refuse("insufficient_scope", { required_scope: scope });

/** The 429 of step 7. */
export const rateLimited = (resetSeconds: number): Refusal =>
  refuse(
    "rate_limit_exceeded",
    { retry_after_seconds: resetSeconds },
    { "Retry-After": String(resetSeconds) },
  );
