import { readFileSync } from "node:fs";
import { join } from "node:path";
import { convert } from "openapi-to-postmanv2";
import { placeholders } from "../../src/http/placeholders.ts";

/** The parts of a Postman collection (format 2.1) that are changed here. */
export interface PostmanCollection {
  info: { name: string; description?: unknown; schema: string };
  item: (Folder | CollectionCall)[];
  auth?: object;
  variable?: object[];
  event?: object[];
}
interface Folder {
  name: string;
  item: (Folder | CollectionCall)[];
}
interface CollectionCall {
  name: string;
  request: {
    description?: unknown;
    url: { host: string[]; path: string[]; query?: Parameter[]; variable?: Parameter[] };
    header?: Parameter[];
    method: string;
    body?: { raw: string };
    auth?: null;
  };
  event?: object[];
}
interface Parameter {
  key: string;
  value: string;
  disabled?: boolean;
}

/** The parts of the OpenAPI document that are read. */
interface OpenApi {
  paths: Record<string, Record<string, { requestBody?: RequestBody; responses?: object }>>;
  webhooks?: object;
}
interface RequestBody {
  content: Record<string, { examples: Record<string, { value: object }> }>;
}

/** What a path's `:id` names, by its collection. */
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
 * A Postman collection (Bruno imports it, too) whose calls succeed unchanged once url, apikey and token are set: each
 * write has a fresh Idempotency-Key, and ids that a call needs are looked up in the workspace first.
 */
export async function collectionOf(document: OpenApi): Promise<PostmanCollection> {
  const made = await converted(document);
  return {
    info: { name: "Countersign partner API", description: made.info.description, schema: made.info.schema },
    item: made.item.map((entry) => finished(entry, document)),
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

const options = {
  folderStrategy: "Tags",
  requestNameSource: "Fallback",
  alwaysInheritAuthentication: true,
  includeAuthInfoInExample: false,
  schemaFaker: false,
};

/** The converter would spend most of its time on responses that are left out here. */
function withoutAnswers(document: OpenApi): object {
  const { paths, webhooks: _, ...rest } = structuredClone(document);
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    operation.responses = { default: { description: "" } };
  }
  return { ...rest, paths };
}

const converted = (document: OpenApi) =>
  new Promise<PostmanCollection>((resolve, reject) =>
    convert({ type: "json", data: withoutAnswers(document) }, options, (error, result) => {
      if (error) reject(error);
      else if (!result.result) reject(new Error(result.reason));
      else resolve(result.output[0].data as PostmanCollection);
    }),
  );

/** Others, such as Range, change the response. */
const neededHeaders = new Set(["Accept", "Content-Type", "Idempotency-Key"]);

/** A parameter with a value for when it is enabled. */
const shown = ({ key, value }: Parameter) => ({ key, value: key === "dry_run" ? "true" : value });

/** Without the converter's random ids and the recorded responses, which openapi.json shows better. */
function finished(entry: Folder | CollectionCall, document: OpenApi): Folder | CollectionCall {
  if ("item" in entry)
    return { name: entry.name, item: entry.item.map((inner) => finished(inner, document)) };
  const { url, header = [], method, body, description } = entry.request;
  const collection = url.path.find((part) => part in idVariables) ?? "";
  const variables: Record<string, string> = {
    id: url.path.at(-1) === "sign-off" ? "signed_off_deliverable_id" : (idVariables[collection] ?? ""),
  };
  return {
    name: entry.name,
    request: {
      method,
      description,
      header: [
        ...header.map(({ key, value }) => ({
          key,
          value: key === "Idempotency-Key" ? "{{$guid}}" : value,
          ...(neededHeaders.has(key) ? {} : { disabled: true }),
        })),
        { key: "apikey", value: "{{apikey}}" },
      ],
      url: {
        host: ["{{url}}"],
        path: url.path,
        query:
          url.query?.map((parameter) => ({ ...shown(parameter), disabled: parameter.key !== "limit" })) ?? [],
        variable:
          url.variable?.map(({ key }) => ({ key, value: variables[key] ? `{{${variables[key]}}}` : "1" })) ??
          [],
      },
      ...(body ? { body: { ...body, raw: bodyOf(entry.request, document) } } : {}),
    },
  };
}

/** The documented example of a request, with ids of this workspace. */
function bodyOf({ method, url }: CollectionCall["request"], { paths }: OpenApi): string {
  const path = `/${url.path.join("/")}`.replaceAll(/:(\w+)/g, "{$1}");
  const content = paths[path]?.[method.toLowerCase()]?.requestBody?.content ?? {};
  const [example] = Object.values(content["application/json"]?.examples ?? {});
  return JSON.stringify(example?.value ?? {}, null, 2).replaceAll(
    /"(client_id|project_id|deliverable_id)": "[^"]*"/g,
    '"$1": "{{$1}}"',
  );
}
