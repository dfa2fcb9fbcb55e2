import { type Document, docstring, jsonOf, nameOf, pascal, type Schema } from "./schema.ts";

const head = `"""Generated from openapi.json by \`npm run openapi\`."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

`;

const inFeed = `class _InFeed(TypedDict):
    id: str
    """The event's id, which its deliveries have as \`webhook-event-id\`"""
    category: Literal["delivery", "scope", "change", "money"] | str
    subject_id: str
    """The id of the record that the event is about"""
`;

/** Generates a TypedDict for every record, body and event: what `json.loads` returns, with completion in editors. */
export function recordsOf(document: Document): string {
  const classes: string[] = [];
  const define = (name: string, schema: Schema): void => {
    const alternatives = schema.oneOf ?? schema.anyOf;
    if (!alternatives) classes.push(classOf(name, schema, define));
    else {
      const names = alternatives.map(({ title = "" }) => name + pascal(title.replace(/^An? /, "")));
      for (const [index, alternative] of alternatives.entries()) define(names[index] as string, alternative);
      classes.push(`${name} = ${names.join(" | ")}\n`);
    }
  };

  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (!/^Legacy|Page$|^Error$|^Problem$|^Event$/.test(name)) define(name, schema);
  }
  for (const { written, rehearsed } of writesOf(document)) {
    classes.push(
      `class Written${written}(${written}):\n${replayMark}`,
      `class Rehearsed${written}(${rehearsed}):
    dry_run: Literal[True]
    would_be: Literal[200, 201]
    """The status that the same write without \`dry_run\` would return"""
${replayMark}`,
    );
  }
  classes.push(inFeed);
  const events = Object.entries(document.webhooks).map(([event, { post }]) => {
    const name = pascal(event);
    classes.push(classOf(name, { ...jsonOf(post.requestBody), description: post.summary }, define));
    classes.push(`class ${name}InFeed(${name}, _InFeed):\n    pass\n`);
    return name;
  });
  classes.push(`WebhookEvent = (\n    ${events.join("\n    | ")}\n)\n`);
  classes.push(`FeedEvent = (\n    ${events.map((name) => `${name}InFeed`).join("\n    | ")}\n)\n`);
  return `${head}\n${classes.join("\n\n")}`;
}

const replayMark = `    idempotent_replay: NotRequired[Literal[True]]
${docstring("Present only on a replay: an earlier request with the same key performed the write", "    ")}`;

/** The types of a write's response, which may be a replay, and of its dry run. */
export function recordsWritten(answer: Schema | undefined) {
  const [written, rehearsed] = (answer?.anyOf ?? []).map(({ allOf = [] }) =>
    allOf.map(nameOf).find((name) => name !== ""),
  );
  return written && rehearsed ? { written, rehearsed } : undefined;
}

const writesOf = ({ paths }: Document) =>
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => recordsWritten(jsonOf(responses["200"])) ?? []);

function classOf(name: string, schema: Schema, define: (name: string, schema: Schema) => void): string {
  const fields = Object.entries(schema.properties ?? {}).map(([field, value]) => {
    const type = typeOf(value, name + pascal(field), define);
    const optional = schema.required?.includes(field) ? type : `NotRequired[${type}]`;
    return `    ${field}: ${optional}\n${value.description ? docstring(value.description, "    ") : ""}`;
  });
  const text = schema.description ? `${docstring(schema.description, "    ")}\n` : "";
  return `class ${name}(TypedDict):\n${text}${fields.join("")}`;
}

const types: Record<string, string> = {
  string: "str",
  number: "float",
  integer: "int",
  boolean: "bool",
  null: "None",
  object: "dict[str, Any]",
};

/** Returns a value's type annotation. `name` is for an object that has no name. */
export function typeOf(schema: Schema, name: string, define: (name: string, schema: Schema) => void): string {
  if (schema.$ref) return nameOf(schema);
  const literals = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (literals) return `Literal[${literals.map(literal).join(", ")}]`;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return [...new Set(alternatives.map((one) => typeOf(one, name, define)))].join(" | ");
  if (schema.type === "array") return `list[${typeOf(schema.items ?? {}, name.replace(/s$/, ""), define)}]`;
  if (schema.properties) {
    define(name, schema);
    return name;
  }
  return (
    [schema.type ?? []]
      .flat()
      .map((type) => types[type] ?? "Any")
      .join(" | ") || "Any"
  );
}

const literal = (value: unknown): string =>
  typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value);
