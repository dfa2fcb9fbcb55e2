import { type Schema, Validator } from "@cfworker/json-schema";
import openapi from "../../openapi.json";
import { isDocumentation } from "../../src/http/documentation.ts";

/** Checks every response in the tests against the committed openapi.json and its header rules (contract R4-R6). */

// biome-ignore lint/suspicious/noExplicitAny: the document is data; its contents are checked as they are read.
type Json = any;

const local = (text: string) => text.replaceAll("#/components/schemas/", "#/$defs/");
/** Partners must accept any string where an enum may grow, but the service sends only known values. */
const closed = (_: string, part: Json): Json =>
  part?.anyOf?.length === 2 && part.anyOf[0].enum && part.anyOf[1].type === "string"
    ? { ...part, ...part.anyOf[0], anyOf: undefined }
    : part;
const document: Json = JSON.parse(local(JSON.stringify(openapi)), closed);
const schemas: Record<string, Schema> = document.components.schemas;

const templates = Object.keys(document.paths).map((template) => ({
  template,
  pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
}));

interface Asked {
  method: string;
  path: string;
  origin: string | null;
}

export async function conforms(asked: Asked, answer: Response): Promise<void> {
  const wrong = (text: string): never => {
    throw new Error(`${asked.method} ${asked.path} answered ${answer.status}: ${text}`);
  };
  const { headers } = answer;
  if (!/^[0-9a-f-]{36}$/.test(headers.get("x-request-id") ?? "")) wrong("no X-Request-Id");
  if (headers.get("cache-control") !== "private, no-store") wrong("Cache-Control is not private, no-store");
  if (headers.has("ratelimit-remaining")) wrong("RateLimit-Remaining is never sent");
  const path = asked.path.split("?")[0] ?? "";
  if (isDocumentation(path)) return;
  const mirrored = headers.get("access-control-allow-origin");
  if (path.startsWith("/api-") && (mirrored ?? "") !== (asked.origin ?? ""))
    wrong(`the Origin came back as ${mirrored}`);
  if (path.startsWith("/api-") && !/\bOrigin\b/.test(headers.get("vary") ?? "")) wrong("no Vary: Origin");
  if (asked.method === "OPTIONS" && answer.status === 204) return;

  const response = documented(asked.method, path, answer.status);
  if (!response) return wrong("this status is not in openapi.json (npm run openapi)");
  for (const [name, header] of Object.entries<Json>(response.headers)) {
    const { required } = resolve(header);
    if (required && !headers.has(name)) wrong(`no ${name}`);
  }
  if (asked.method === "HEAD" || answer.status === 304) return;
  if (answer.ok && !response.content["application/json"]) {
    if (!response.content[headers.get("content-type") ?? ""]) wrong("a content type that is not documented");
    return;
  }
  const type = headers.get("content-type") ?? "";
  const body: Json = await answer.clone().json();
  if (type === "application/problem+json") {
    const { type: _, title, status, detail, instance, errors, ...plain } = body;
    const media = response.content["application/problem+json"];
    const { valid, errors: issues } = new Validator({ ...media.schema, $defs: schemas }, "2020-12").validate(
      body,
    );
    if (!valid) wrong(JSON.stringify(issues));
    if (detail !== plain.error || status !== answer.status) wrong("detail or status is not the error's");
    return;
  }
  if (!/^application\/json\b/.test(type)) wrong("not sent as JSON");
  const problem = problemOf(response.content["application/json"], body, answer.status);
  if (problem) wrong(`${problem}: ${JSON.stringify(body)}`);
  checkRateHeaders(answer, body, wrong);
  checkShouldRetry(answer, body, wrong);
}

/** The documented response for a status: the operation's, or the common one for unknown paths and methods. */
function documented(method: string, path: string, status: number): Json | undefined {
  const item = document.paths[templates.find(({ pattern }) => pattern.test(path))?.template ?? ""];
  const operation = item?.[method.toLowerCase()];
  const responses = operation?.responses ?? {
    403: plainHttp,
    [item ? 405 : 404]: document.components.responses[item ? "MethodNotAllowed" : "NotFound"],
  };
  const response = responses[status];
  return response && resolve(response);
}

/** The 403 for plain HTTP, the only one that an unknown path or method can get. */
const plainHttp = {
  headers: {},
  content: {
    "application/json": { schema: { type: "object" }, examples: { http: { value: { error: "" } } } },
  },
};

/** The part that a reference in the document refers to. */
export const resolve = (part: Json): Json =>
  part.$ref
    ? part.$ref
        .split("/")
        .slice(1)
        .reduce((at: Json, key: string) => at[key], document)
    : part;

const validators = new Map<object, Validator>();

function problemOf(media: Json, body: Json, status: number): string | undefined {
  const validator = validators.get(media) ?? new Validator({ ...media.schema, $defs: schemas }, "2020-12");
  validators.set(media, validator);
  const { valid, errors } = validator.validate(body);
  if (!valid) return errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`).join("; ");
  const unknown = status < 400 && undocumentedField(body, [media.schema]);
  if (unknown) return `${unknown} is not a documented field`;
  if (status >= 400 && !Object.values<Json>(media.examples).some(({ value }) => sameFailure(value, body))) {
    return "no documented failure has exactly these fields and this code";
  }
  return undefined;
}

/** Whether both bodies have the same fields, with equal values in the machine-readable ones. */
const sameFailure = (example: Json, body: Json): boolean =>
  Object.keys(example).sort().join() === Object.keys(body).sort().join() &&
  ["code", "capability", "resource", "required_scope"].every((field) => example[field] === body[field]);

/** The first undocumented field at any depth. Responses must not contain one. */
function undocumentedField(value: Json, ofSchemas: Json[]): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const all = ofSchemas.flatMap(unfolded);
  if (Array.isArray(value)) {
    const items = all.flatMap(({ items }) => items ?? []);
    return value.map((item) => undocumentedField(item, items)).find(Boolean);
  }
  if (all.some(({ additionalProperties: open }) => open !== undefined && open !== false)) return undefined;
  for (const [field, inner] of Object.entries(value)) {
    const named = all.flatMap(({ properties }) => properties?.[field] ?? []);
    if (named.length === 0) return field;
    const unknown = undocumentedField(inner, named);
    if (unknown) return `${field}.${unknown}`;
  }
  return undefined;
}

function unfolded(schema: Json): Json[] {
  if (schema.$ref) return unfolded(schemas[schema.$ref.split("/").at(-1)]);
  return [
    schema,
    ...[schema.allOf, schema.anyOf, schema.oneOf].flatMap((parts) => parts ?? []).flatMap(unfolded),
  ];
}

/** Every response to a known token includes the limit, and every counted response its window (contract R4). */
function checkRateHeaders({ status, headers }: Response, body: Json, wrong: (text: string) => never): void {
  const limit = headers.get("ratelimit-limit");
  const policy = headers.get("ratelimit-policy");
  const reset = Number(headers.get("ratelimit-reset"));
  const unknown =
    [401, 405].includes(status) ||
    (status === 403 && body.code === undefined) ||
    ([404, 503].includes(status) && limit === null);
  // A 503 may occur before the request is counted.
  const uncounted =
    unknown ||
    body.capability === "api_access" ||
    body.code === "address_not_allowed" ||
    (status === 503 && !headers.has("ratelimit-reset"));
  if (unknown && (limit ?? policy) !== null) wrong("rate headers before the token was looked up");
  if (uncounted && headers.has("ratelimit-reset")) wrong("a window before the request was counted");
  if (!unknown && status !== 500) {
    if (!limit || policy !== `${limit};w=60`) wrong(`RateLimit-Limit ${limit}, RateLimit-Policy ${policy}`);
    if (!uncounted && !(Number.isInteger(reset) && reset >= 1 && reset <= 60))
      wrong(`RateLimit-Reset ${reset}`);
  }
  const retryAfter = headers.get("retry-after");
  if (status === 429 && retryAfter !== String(body.retry_after_seconds)) wrong(`Retry-After ${retryAfter}`);
  if (body.code === "idempotency_key_in_progress" && retryAfter !== "1") wrong(`Retry-After ${retryAfter}`);
}

/** Every error states whether a retry may succeed (contract E3). Successes do not. */
function checkShouldRetry({ status, headers }: Response, body: Json, wrong: (text: string) => never): void {
  const isRetryable = [429, 500, 502, 503].includes(status) || body.code === "idempotency_key_in_progress";
  const said = headers.get("x-should-retry");
  if (said !== (status < 400 ? null : String(isRetryable))) wrong(`X-Should-Retry ${said}`);
}
