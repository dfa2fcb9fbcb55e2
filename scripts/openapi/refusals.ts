import type { ZodOpenApiResponseObject } from "zod-openapi";
import { type Failure, type FailureName, failures } from "../../src/contract/failures.ts";
import type { Scope } from "../../src/contract/scopes.ts";
import type { Route } from "../../src/http/route.ts";
import { always, carries, counted } from "./headers.ts";

/** Failures of every route (CONTRACT 1); a route declares the others itself. */
const ofEveryRoute: readonly FailureName[] = [
  "invalid_apikey",
  "invalid_token",
  "https_required",
  "api_access_required",
  "insufficient_scope",
  "method_not_allowed",
  "rate_limit_exceeded",
  "unexpected",
];

const ofEveryWrite: readonly FailureName[] = ["validation", "api_actor_unavailable", "payload_too_large"];
const ofEveryKeyedWrite: readonly FailureName[] = ["idempotency_key_reused", "idempotency_key_in_progress"];

/** Every way in which a route can refuse, in the order of the catalogue. */
function failuresOf(route: Route): FailureName[] {
  const names = new Set<FailureName>([...ofEveryRoute, ...(route.failures ?? [])]);
  if (route.kind === "write") {
    for (const name of ofEveryWrite) names.add(name);
    if (route.idempotent) for (const name of ofEveryKeyedWrite) names.add(name);
    if (route.feature) names.add("feature_disabled");
  }
  return (Object.keys(failures) as FailureName[]).filter((name) => names.has(name));
}

/** Refused before the rate limiter counts, whatever the route. */
const uncountedStatuses: readonly number[] = [401, 405];

const withRetryAfter: readonly FailureName[] = ["rate_limit_exceeded", "idempotency_key_in_progress"];

/** The body of a failure, as a partner would see it on a route of this scope. */
function exampleOf(name: FailureName, scope: Scope): Record<string, unknown> {
  const { status: _, meaning: __, ...body }: Failure = failures[name];
  if (name === "insufficient_scope") return { ...body, required_scope: scope };
  if (name === "rate_limit_exceeded") return { ...body, retry_after_seconds: 42 };
  if (name === "validation") return { error: "client_id not found in this workspace" };
  return body;
}

/** One object per status: `error` always, the other fields as the failures of that status have them. */
function schemaOf(bodies: readonly Record<string, unknown>[]): object {
  const properties: Record<string, object> = {
    error: { type: "string", description: "For people. Branch on `code`, not on this text" },
  };
  const fields = new Set(bodies.flatMap((body) => Object.keys(body)));
  fields.delete("error");
  for (const field of fields) {
    const values = [...new Set(bodies.flatMap((body) => (field in body ? [body[field]] : [])))];
    properties[field] =
      field === "retry_after_seconds"
        ? { type: "integer", minimum: 1, description: "Wait at least this long, with jitter" }
        : { type: "string", enum: values };
  }
  const required = ["error", ...fields].filter((field) => bodies.every((body) => field in body));
  return { type: "object", properties, required };
}

/** What the failures of one status mean; a list if there are several. */
function described(names: readonly FailureName[]): string {
  if (names.length === 1) return failures[names[0] as FailureName].meaning;
  const lines = names.map((name) => {
    const { code, meaning }: Failure = failures[name];
    return code ? `- \`${code}\`: ${meaning}` : `- ${meaning}`;
  });
  return lines.join("\n");
}

function refusal(status: number, names: readonly FailureName[], scope: Scope): ZodOpenApiResponseObject {
  const examples = names.map((name) => [name, exampleOf(name, scope)] as const);
  const retries = names.some((name) => withRetryAfter.includes(name));
  return {
    description: described(names),
    headers: carries(
      ...always,
      ...(uncountedStatuses.includes(status) ? [] : counted),
      ...(retries ? (["Retry-After"] as const) : []),
      ...(status === 405 ? (["Allow"] as const) : []),
    ),
    content: {
      "application/json": {
        schema: schemaOf(examples.map(([, body]) => body)),
        examples: Object.fromEntries(
          examples.map(([name, value]) => [name, { summary: failures[name].meaning, value }]),
        ),
      },
    },
  };
}

/** Statuses whose answer is the same wherever it has these failures: one component each. */
const shared: Record<string, readonly FailureName[]> = {
  ValidationFailed: ["validation"],
  Unauthorized: ["invalid_apikey", "invalid_token"],
  NotFound: ["not_found"],
  MethodNotAllowed: ["method_not_allowed"],
  WriteConflict: ["api_actor_unavailable", "idempotency_key_reused", "idempotency_key_in_progress"],
  PayloadTooLarge: ["payload_too_large"],
  RateLimited: ["rate_limit_exceeded"],
  Unexpected: ["unexpected"],
};

const statusOf = (name: FailureName): number => failures[name].status;

export const refusalComponents = Object.fromEntries(
  Object.entries(shared).map(([component, names]) => [
    component,
    refusal(statusOf(names[0] as FailureName), names, "client:read"),
  ]),
);

/** The refusals of a route by status: each with its codes, body and examples. */
export function refusalsOf(route: Route): Record<string, ZodOpenApiResponseObject> {
  const byStatus = Map.groupBy(failuresOf(route), statusOf);
  const entries = [...byStatus].map(([status, names]) => {
    const same = Object.keys(shared).find((component) => shared[component]?.join() === names.join());
    const response = same
      ? ({ $ref: `#/components/responses/${same}` } as unknown as ZodOpenApiResponseObject)
      : refusal(status, names, route.scope);
    return [String(status), response] as const;
  });
  return Object.fromEntries(entries);
}
