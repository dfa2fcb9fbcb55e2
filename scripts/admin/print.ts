/**
 * Formats results and errors as text. An object becomes aligned fields, and a list a table. Control characters are
 * escaped.
 */
import { escapeControls } from "../../src/contract/characters.ts";
import type { Refused } from "./help.ts";

type Fields = Record<string, unknown>;

export function inWords(result: unknown): string {
  if (!Array.isArray(result)) return fieldsOf(result as Fields);
  if (result.length === 0) return "none";
  return tableOf(result as Fields[]);
}

/** Writes field names as command-line parameters. */
export function refusalInWords({ message, hint }: Refused): string {
  const fields = /^fields: (?!none$)(.*)/.exec(hint ?? "")?.[1]?.split(", ");
  const shownHint = fields ? `fields: ${fields.map(parameterOf).join(", ")}` : hint;
  return [aboutParameters(message), ...(shownHint === null ? [] : [shownHint])]
    .map(escapeControls)
    .join("\n");
}

const parameterOf = (field: string) => `--${field.replaceAll("_", "-")}`;

/**
 * A message that starts in lower case starts with a field's name. Other words with an underscore are also fields,
 * except after `one of`, where they are values.
 */
function aboutParameters(message: string): string {
  const [about = "", ...values] = message.split(/(?= one of )/);
  if (!/^[a-z]\w*[ .]/.test(about)) return message;
  const named = about.replaceAll(/^[a-z]\w*|(?<![\w.])[a-z]+(?:_[a-z]+)+/g, parameterOf);
  return [named, ...values].join("");
}

function fieldsOf(record: Fields): string {
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  return Object.entries(record)
    .map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}`)
    .join("\n");
}

function tableOf(records: Fields[]): string {
  const names = [...new Set(records.flatMap(Object.keys))];
  const rows = [names, ...records.map((record) => names.map((name) => inline(record[name])))];
  const widths = names.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
    .map((line) => line.trimEnd())
    .join("\n");
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Records inside a record are indented below its name. */
function shown(value: unknown): string {
  const nested =
    Array.isArray(value) && value.some(isRecord) ? inWords(value) : isRecord(value) ? fieldsOf(value) : null;
  return nested === null ? inline(value) : `\n${nested.replaceAll(/^/gm, "  ")}`;
}

function inline(value: unknown): string {
  if (value === null || value === undefined) return "-";
  if (Array.isArray(value)) return value.map(inline).join(",");
  // A nested record with a name, such as a request's token, is shown as its name.
  if (isRecord(value) && typeof value.name === "string") return escapeControls(value.name);
  return escapeControls(typeof value === "object" ? JSON.stringify(value) : String(value));
}
