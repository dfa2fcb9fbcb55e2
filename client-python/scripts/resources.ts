import { recordsWritten, typeOf } from "./records.ts";
import {
  called,
  type Document,
  docstring,
  identifier,
  jsonOf,
  nameOf,
  type Operation,
  type Parameter,
  pascal,
  type Schema,
  snake,
} from "./schema.ts";

const head = `"""Generated from openapi.json by \`npm run openapi\`."""

from __future__ import annotations

from typing import Any, Callable, Literal, Sequence, TypeVar, Unpack, overload

from . import records
from .listing import Listing
from .resource import Resource
from .sync import RecordStore
from .transport import Answer, Options, WriteOptions

Transaction = TypeVar("Transaction")

`;

/** Exceptions from the rule of `methodName`. */
const methodNames: Record<string, string> = {
  getDeliverableVersionImage: "get_image",
  ingestRequest: "ingest",
};

interface Call {
  path: string;
  method: string;
  operation: Operation;
}

/** Generates a class per resource with a method per operation, except for the legacy operations. */
export function resourcesOf(document: Document): string {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Call => ({ path, method, operation })),
  );
  const byTag = Map.groupBy(calls, ({ operation }) => operation.tags[0] ?? "");
  byTag.delete("Legacy");
  const classes = [...byTag].map(([tag, found]) => {
    const methods = found.flatMap((call) => [methodOf(document, tag, call), ...syncOf(document, call)]);
    return `class ${pascal(tag)}(Resource):\n${methods.join("\n")}`;
  });
  return `${head}\n${classes.join("\n\n")}`;
}

/** Derives `list_versions` of deliverables from `listDeliverableVersions`. */
export function methodName(tag: string, operationId: string): string {
  const [verb = "", ...words] = snake(operationId).split("_");
  const record = snake(tag).replace(/ies$/, "y").replace(/s$/, "");
  const rest = words.join("_").replace(snake(tag), "").replace(record, "");
  return methodNames[operationId] ?? [verb, ...rest.split("_")].filter((word) => word !== "").join("_");
}

const pathNames: Record<string, [name: string, type: string]> = { n: ["version", "int"] };

function methodOf(document: Document, tag: string, { path, operation }: Call): string {
  const parameters = operation.parameters?.filter(({ $ref }) => !$ref) ?? [];
  const values = parameters
    .filter((parameter) => parameter.in === "path")
    .map(({ name }) => pathNames[name] ?? ([name, "str"] as const));
  const query = parameters.filter((parameter) => parameter.in === "query");
  const filled = path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => `{self._segment(${pathNames[name]?.[0] ?? name})}`,
  );
  const quoted = filled === path ? `"${path}"` : `f"${filled}"`;
  const answer = answerOf(operation);
  if (answer.call === "_write") return writeOf(document, tag, operation, values, quoted, answer.type);
  const taken = values.map(([name, type]) => `${name}: ${type}`);
  if (query.length > 0) taken.push("*", ...query.map(queryParameter));
  taken.push("**options: Unpack[Options]");
  const given = [quoted];
  if (query.length > 0 || answer.call === "_list") given.push(queryArgument(query));
  given.push("options");
  return [
    called(
      `def ${methodName(tag, operation.operationId)}(`,
      ["self", ...taken],
      `) -> ${answer.type}:`,
      "    ",
    ),
    docstring(textOf(operation, query), "        ").trimEnd(),
    called(`return self.${answer.call}(`, given, ")", "        "),
    "",
  ].join("\n");
}

/** Generates overloads for a write and its dry run, so that type checkers know the response by `dry_run`. */
function writeOf(
  document: Document,
  tag: string,
  operation: Operation,
  values: readonly (readonly [string, string])[],
  quoted: string,
  record: string,
): string {
  const name = methodName(tag, operation.operationId);
  const body = jsonOf(operation.requestBody) ?? {};
  const taken = [
    "self",
    ...values.map(([value, type]) => `${value}: ${type}`),
    bodyParameter(document, body),
    "*",
  ];
  const defined = (dryRun: string, type: string, tail: string) =>
    called(
      `def ${name}(`,
      [...taken, `dry_run: ${dryRun}`, "**options: Unpack[WriteOptions]"],
      `) -> ${type}:${tail}`,
      "    ",
    );
  return [
    "    @overload",
    defined("Literal[True]", `records.Rehearsed${record}`, " ..."),
    "    @overload",
    defined("Literal[False] = False", `records.Written${record}`, " ..."),
    defined("bool = False", "Any", ""),
    docstring(
      `${textOf(operation, [])}\n\ndry_run: Judge the write and keep nothing of it.`,
      "        ",
    ).trimEnd(),
    called("return self._write(", [quoted, "body", "dry_run", "options"], ")", "        "),
    "",
  ].join("\n");
}

const textOf = ({ summary, description }: Operation, query: Parameter[]): string =>
  [
    [`${summary}.`, description].filter(Boolean).join("\n\n"),
    query.map(({ name, description }) => `${identifier(name)}: ${description}.`).join("\n"),
  ]
    .filter((text) => text !== "")
    .join("\n\n");

const queryParameter = ({ name, schema }: Parameter): string =>
  `${identifier(name)}: ${[...alsoTaken(schema), typeOf(schema, "", () => {})].join(" | ")} | None = None`;

/** Python types that a query value may have besides a string. */
function alsoTaken({ enum: values = [], description = "" }: Schema): string[] {
  if (values.includes("true")) return ["bool"];
  return description.includes("separated by commas") ? ["Sequence[str]"] : [];
}

const queryArgument = (query: Parameter[]): string => {
  const pairs = query.map(({ name }) => `"${name}": ${identifier(name)}`);
  return called("{", pairs, "}", "            ").trimStart();
};

/** A body without required fields may be omitted. */
function bodyParameter({ components }: Document, body: Schema): string {
  const name = nameOf(body);
  const { type, required } = components.schemas[name] ?? {};
  const isOptional = type === "object" && (required ?? []).length === 0;
  return `body: records.${name}${isOptional ? " | None = None" : ""}`;
}

function answerOf({ responses }: Operation): { call: string; type: string } {
  const answer = jsonOf(responses["200"]);
  if (!answer) return { call: "_read_bytes", type: "Answer" };
  const records = recordsWritten(answer);
  if (records) return { call: "_write", type: records.written };
  const name = nameOf(answer);
  if (!name.endsWith("Page")) return { call: "_read", type: `records.${name}` };
  const item = name === "EventPage" ? "FeedEvent" : name.slice(0, -"Page".length);
  return { call: "_list", type: `Listing[records.${item}]` };
}

/** Generates `sync` for a list if its records have `updated_at`. */
function syncOf({ components }: Document, { path, operation }: Call): string[] {
  const { call, type } = answerOf(operation);
  const record = /records\.(\w+)/.exec(type)?.[1] ?? "";
  if (call !== "_list" || !components.schemas[record]?.properties?.updated_at) return [];
  return [
    `    def sync(
        self,
        *,
        store: RecordStore[Transaction],
        upsert: Callable[[records.${record}, Transaction], object],
        overlap_seconds: float = 10,
    ) -> None:
        """Write what is new or changed since the last time into a copy: see partner_api.sync."""
        self._sync("${path}", store, upsert, overlap_seconds)
`,
  ];
}
