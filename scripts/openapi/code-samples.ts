/** Builds `x-codeSamples`: each operation called with curl, both client libraries and fetch. */
import { methodName } from "../../client-python/scripts/resources.ts";
import { pascal, snake } from "../../client-python/scripts/schema.ts";
import { placeholders } from "../../src/http/placeholders.ts";

interface Parameter {
  name?: string;
  in?: string;
  required?: boolean;
  example?: unknown;
}

interface SampledOperation {
  operationId: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { examples: Record<string, { value: unknown }> }> };
}

export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

interface Call {
  method: string;
  /** The path with its parameters filled in. */
  path: string;
  pathValues: string[];
  body?: unknown;
  /** Absent if the operation does not accept an idempotency key. */
  key?: string;
  tag: string;
  operationId: string;
}

export function codeSamplesOf(method: string, path: string, operation: SampledOperation): CodeSample[] {
  const { operationId, tags, parameters = [], requestBody } = operation;
  const values = new Map(
    parameters.flatMap(({ name, in: place, example }) =>
      place === "path" ? [[name ?? "", String(example)] as const] : [],
    ),
  );
  const [tag = ""] = tags;
  const call: Call = {
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? ""),
    pathValues: [...values.values()],
    body: Object.values(requestBody?.content["application/json"]?.examples ?? {})[0]?.value,
    tag,
    operationId,
  };
  if (parameters.some((parameter) => "$ref" in parameter))
    call.key = `${snake(operationId).replaceAll("_", "-")}-1`;
  const isLegacy = tag === "Legacy";
  return [
    { lang: "shell", label: "curl", source: ofCurl(call) },
    ...(isLegacy ? [] : [{ lang: "javascript", label: "TypeScript client", source: ofClient(call) }]),
    { lang: "javascript", label: "fetch", source: ofFetch(call) },
    ...(isLegacy ? [] : [{ lang: "python", label: "Python client", source: ofPython(call) }]),
  ];
}

const { origin, apikey, token } = placeholders;

/** Quotes a string for a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'"'"'`)}'`;

function ofCurl({ path, key, body }: Call): string {
  const headers = [`apikey: ${apikey}`, `Authorization: Bearer ${token}`];
  if (body !== undefined) headers.push("Content-Type: application/json");
  if (key) headers.push(`Idempotency-Key: ${key}`);
  const sent = body === undefined ? [] : [`-d ${quoted(JSON.stringify(body, null, 2))}`];
  const saved = path.endsWith("/image") ? ["--output image"] : [];
  const options = [...headers.map((header) => `-H ${quoted(header)}`), ...saved, ...sent];
  return [`curl ${quoted(origin + path)}`, ...options].join(" \\\n  ");
}

/** Formats a JavaScript value, with unquoted keys. */
const javascript = (value: unknown, indent = 2) =>
  JSON.stringify(value, null, indent).replaceAll(/^( *)"([A-Za-z_]\w*)":/gm, "$1$2:");

const printed = (operationId: string, value: string) =>
  operationId === "getDeliverableVersionImage" ? `${value}.headers.get("content-type")` : value;

function ofClient({ tag, operationId, method, pathValues, body, key }: Call): string {
  const name = camel(methodName(tag, operationId));
  const given = pathValues.map((value) => JSON.stringify(/^\d+$/.test(value) ? Number(value) : value));
  if (body !== undefined) given.push(javascript(body));
  if (key) given.push(`{ idempotencyKey: "${key}" }`);
  const called = `api.${camel(snake(tag))}.${name}(${given.join(", ")})`;
  const isList = method === "GET" && name.startsWith("list");
  const used = isList
    ? `for await (const record of ${called}) console.log(record);`
    : `const response = await ${called};\nconsole.log(${printed(operationId, "response")});`;
  return `import { partnerApi } from "partner-api-client";

const api = partnerApi({
  baseUrl: "${origin}",
  apikey: "${apikey}",
  token: "${token}",
});

${used}`;
}

function python(value: unknown, indent = ""): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  const lines = Array.isArray(value)
    ? value.map((item) => python(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${python(item, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (lines.length === 0) return `${open}${close}`;
  return `${open}\n${lines.map((line) => `${inner}${line},\n`).join("")}${indent}${close}`;
}

function ofPython({ tag, operationId, method, pathValues, body, key }: Call): string {
  const name = methodName(tag, operationId);
  const given = pathValues.map((value) => JSON.stringify(/^\d+$/.test(value) ? Number(value) : value));
  if (body !== undefined) given.push(python(body));
  if (key) given.push(`idempotency_key="${key}"`);
  const called = `api.${snake(tag)}.${name}(${given.join(", ")})`;
  const isList = method === "GET" && name.startsWith("list");
  const shown =
    operationId === "getDeliverableVersionImage" ? 'response.headers["Content-Type"]' : "response";
  const used = isList
    ? `for record in ${called}:\n    print(record)`
    : `response = ${called}\nprint(${shown})`;
  return `from partner_api import PartnerApi

api = PartnerApi(
    base_url="${origin}",
    apikey="${apikey}",
    token="${token}",
)

${used}`;
}

function ofFetch({ method, path, body, key, operationId }: Call): string {
  const headers = {
    apikey,
    Authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(key ? { "Idempotency-Key": key } : {}),
  };
  const lines = Object.entries(headers).map(
    ([name, value]) => `    ${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  const sent = body === undefined ? "" : `\n  body: JSON.stringify(${indented(javascript(body))}),`;
  const verb = method === "GET" ? "" : `\n  method: "${method}",`;
  const shown =
    operationId === "getDeliverableVersionImage" ? "await response.blob()" : "await response.json()";
  return `const response = await fetch("${origin}${path}", {${verb}
  headers: {
${lines.join("\n")}
  },${sent}
});
console.log(response.status, ${shown});`;
}

const indented = (text: string) => text.replaceAll("\n", "\n  ");

const camel = (name: string) => {
  const capitals = pascal(name);
  return capitals.charAt(0).toLowerCase() + capitals.slice(1);
};
