import { readFileSync } from "node:fs";
import { join } from "node:path";
import { placeholders } from "../../src/http/placeholders.ts";

/** The parts of the OpenAPI document that the collection needs. */
interface OpenApi {
  info: { title: string; description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter> };
}
interface Operation {
  summary: string;
  description: string;
  tags: [string];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { examples: Record<string, { value: object }> }> };
}
interface Parameter {
  name: string;
  in: "header" | "path" | "query";
  example?: unknown;
}

const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

/** The variable for `{id}` in a path, by collection. */
const idVariables: Record<string, string> = {
  clients: "client_id",
  projects: "project_id",
  "time-entries": "time_entry_id",
  invoices: "invoice_id",
  deliverables: "deliverable_id",
};

const scriptOf = (name: string) =>
  readFileSync(join(import.meta.dirname, `${name}.js`), "utf8")
    .split("\n")
    .slice(0, -1);

/**
 * Builds a Postman collection, which Bruno can also import. Its calls work without changes once url, apikey and token
 * are set, because each write has a new Idempotency-Key and scripts look up the ids.
 */
export function collectionOf(document: OpenApi): object {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      call: callOf(path, method, operation, document),
    })),
  );
  return {
    info: { name: document.info.title, description: document.info.description, schema },
    item: document.tags.map(({ name }) => ({
      name,
      item: calls.filter(({ tag }) => tag === name).map(({ call }) => call),
    })),
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}", type: "string" }] },
    event: [
      { listen: "prerequest", script: { type: "text/javascript", exec: scriptOf("find-ids") } },
      { listen: "test", script: { type: "text/javascript", exec: scriptOf("succeeds") } },
    ],
    variable: [
      { key: "url", value: placeholders.origin },
      { key: "apikey", value: placeholders.apikey },
      { key: "token", value: placeholders.token },
    ],
  };
}

function callOf(path: string, method: string, operation: Operation, { components }: OpenApi): object {
  const { summary, description, requestBody } = operation;
  const parameters = (operation.parameters ?? []).map((parameter) =>
    "$ref" in parameter ? componentOf(parameter.$ref, components.parameters) : parameter,
  );
  const of = (place: Parameter["in"]) => parameters.filter((parameter) => parameter.in === place);
  const parts = path.slice(1).split("/");
  const collection = parts.find((part) => part in idVariables) ?? "";
  const id = parts.at(-1) === "sign-off" ? "signed_off_deliverable_id" : idVariables[collection];
  const [example] = Object.values(requestBody?.content["application/json"]?.examples ?? {});
  return {
    name: summary,
    request: {
      method: method.toUpperCase(),
      description,
      header: [
        ...of("header").map(({ name, example }) =>
          name === "Idempotency-Key"
            ? { key: name, value: "{{$guid}}" }
            : { key: name, value: `${example ?? ""}`, disabled: true },
        ),
        ...(requestBody ? [{ key: "Content-Type", value: "application/json" }] : []),
        { key: "apikey", value: "{{apikey}}" },
      ],
      url: {
        host: ["{{url}}"],
        path: parts.map((part) => part.replace(/^\{(\w+)\}$/, ":$1")),
        query: of("query").map(({ name, example }) => ({
          key: name,
          value: `${example ?? ""}`,
          disabled: name !== "limit",
        })),
        variable: of("path").map(({ name }) => ({ key: name, value: name === "id" ? `{{${id}}}` : "1" })),
      },
      ...(requestBody && {
        body: { mode: "raw", raw: bodyOf(example?.value ?? {}), options: { raw: { language: "json" } } },
      }),
    },
  };
}

function componentOf(reference: string, components: Record<string, Parameter>): Parameter {
  const found = components[reference.slice(reference.lastIndexOf("/") + 1)];
  if (!found) throw new Error(`no component ${reference}`);
  return found;
}

/** The documented example request, with variables for the ids. */
const bodyOf = (example: object): string =>
  JSON.stringify(example, null, 2).replaceAll(
    /"(client_id|project_id|deliverable_id)": "[^"]*"/g,
    '"$1": "{{$1}}"',
  );
