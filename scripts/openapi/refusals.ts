import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from "zod-openapi";
import { ErrorBody, Problem } from "../../src/contract/error-body.ts";
import { type FailureName, invalid, isFailureName, refuse } from "../../src/contract/refusal.ts";
import type { RefusalEntry } from "../../src/contract/refusals/entry.ts";
import { refusals } from "../../src/contract/refusals.ts";
import type { Scope } from "../../src/contract/scopes.ts";
import { problemType } from "../../src/http/problem-details.ts";
import { bodyOf } from "../../src/http/responses.ts";
import type { Route } from "../../src/http/route.ts";
import { always, carries, counted } from "./headers.ts";

/** Errors that any route can return (contract R1). Each route declares the rest. */
const ofEveryRoute: readonly FailureName[] = [
  "invalid_apikey",
  "invalid_token",
  "https_required",
  "api_access_required",
  "address_not_allowed",
  "method_not_allowed",
  "rate_limit_exceeded",
  "unexpected",
  "unavailable",
  "storage_full",
  "organization_is_moving",
  "service_closed",
];

const ofEveryWrite: readonly FailureName[] = [
  "validation",
  "api_actor_unavailable",
  "payload_too_large",
  "content_encoding_not_supported",
  "service_read_only",
];
const ofEveryCreate: readonly FailureName[] = ["plan_records_cap"];
const ofEveryKeyedWrite: readonly FailureName[] = ["idempotency_key_reused", "idempotency_key_in_progress"];

const scopesOf = ({ scope, furtherScopes = [] }: Route): readonly Scope[] => [
  ...(scope ? [scope] : []),
  ...furtherScopes,
];

/** All errors of a route, in catalog order. */
function failuresOf(route: Route): FailureName[] {
  const names = new Set<FailureName>([...ofEveryRoute, ...(route.failures ?? [])]);
  if (scopesOf(route).length > 0) names.add("insufficient_scope");
  if (!route.ignoresUnknown) names.add("validation");
  if (route.kind === "write") {
    for (const name of ofEveryWrite) names.add(name);
    if (route.status === 201) for (const name of ofEveryCreate) names.add(name);
    if (route.idempotent) for (const name of ofEveryKeyedWrite) names.add(name);
    if (route.feature) names.add("feature_disabled");
  }
  return Object.keys(refusals)
    .filter(isFailureName)
    .filter((name) => names.has(name));
}

/** Statuses returned before the rate limiter counts the request. */
const uncountedStatuses: readonly number[] = [401, 405, 503];

const overMails: readonly FailureName[] = ["mails_to_address", "mails_of_workspace"];
const withRetryAfter: readonly FailureName[] = [
  "rate_limit_exceeded",
  "idempotency_key_in_progress",
  "unavailable",
  "storage_full",
  "organization_is_moving",
  "service_closed",
  "service_read_only",
  ...overMails,
];

function exampleOf(name: FailureName, scope: Scope): Record<string, unknown> {
  switch (name) {
    case "insufficient_scope":
      return bodyOf(refuse(name, { required_scope: scope }));
    case "rate_limit_exceeded":
      return bodyOf(refuse(name, { retry_after_seconds: 42 }));
    case "mails_to_address":
    case "mails_of_workspace":
      return bodyOf(refuse(name, { retry_after_seconds: 30_600 }));
    case "validation":
      return bodyOf(invalid("client_id not found in this workspace"));
    default:
      return bodyOf(refuse(name));
  }
}

/** An example of each error; for a missing scope, one per scope that the request may need. */
const examplesOf = (names: readonly FailureName[], [scope = "client:read", ...others]: readonly Scope[]) => [
  ...names.map((name) => ({ key: String(name), name, value: exampleOf(name, scope) })),
  ...(names.includes("insufficient_scope") ? others : []).map((other) => ({
    key: `insufficient_scope_${other.replace(":", "_")}`,
    name: "insufficient_scope" as const,
    value: exampleOf("insufficient_scope", other),
  })),
];

/** Describes the errors with this status, as a list if there are several. */
function described(names: readonly FailureName[]): string {
  if (names.length === 1) return refusals[names[0] as FailureName].meaning;
  const lines = names.map((name) => {
    const { code, meaning }: RefusalEntry & { meaning: string } = refusals[name];
    return code ? `- \`${code}\`: ${meaning}` : `- ${meaning}`;
  });
  return lines.join("\n");
}

function refusal(
  status: number,
  names: readonly FailureName[],
  scopes: readonly Scope[],
): ZodOpenApiResponseObject {
  const retries = names.some((name) => withRetryAfter.includes(name));
  return {
    description: described(names),
    headers: carries(
      ...always,
      "X-Should-Retry",
      ...(uncountedStatuses.includes(status) ? [] : counted),
      ...(retries ? (["Retry-After"] as const) : []),
      ...(status === 401 ? (["WWW-Authenticate"] as const) : []),
      ...(status === 405 ? (["Allow"] as const) : []),
      ...(status === 416 ? (["Content-Range"] as const) : []),
    ),
    content: {
      "application/json": {
        schema: ErrorBody,
        examples: Object.fromEntries(
          examplesOf(names, scopes).map(({ key, name, value }) => [
            key,
            { summary: refusals[name].meaning, value },
          ]),
        ),
      },
      [problemType]: { schema: Problem },
    },
  };
}

const shared: Record<string, readonly FailureName[]> = {
  ValidationFailed: ["validation"],
  Unauthorized: ["invalid_apikey", "invalid_token"],
  NotFound: ["not_found"],
  MethodNotAllowed: ["method_not_allowed"],
  WriteConflict: ["api_actor_unavailable", "idempotency_key_reused", "idempotency_key_in_progress"],
  PayloadTooLarge: ["payload_too_large"],
  UnsupportedMediaType: ["content_encoding_not_supported"],
  RateLimited: ["rate_limit_exceeded"],
  Unexpected: ["unexpected"],
  Unavailable: ["unavailable", "storage_full", "organization_is_moving", "service_closed"],
  UnavailableForWrites: [
    "unavailable",
    "storage_full",
    "organization_is_moving",
    "service_closed",
    "service_read_only",
  ],
};

const statusOf = (name: FailureName): number => refusals[name].status;

export const refusalComponents = Object.fromEntries(
  Object.entries(shared).map(([component, names]) => [
    component,
    refusal(statusOf(names[0] as FailureName), names, []),
  ]),
);

/** A route's errors by status, each with its codes, body and examples. */
export function refusalsOf(route: Route): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(failuresOf(route), statusOf);
  const entries = [...byStatus].map(([status, names]) => {
    const same = Object.keys(shared).find((component) => shared[component]?.join() === names.join());
    const response = same
      ? { $ref: `#/components/responses/${same}` }
      : refusal(status, names, scopesOf(route));
    return [String(status), response] as const;
  });
  return Object.fromEntries(entries);
}
