/** Results in words: an object as aligned fields, a list as a table. Nothing in them steers the terminal. */
import { visible } from "../../src/contract/characters.ts";

type Fields = Record<string, unknown>;

export function inWords(result: unknown): string {
  if (!Array.isArray(result)) return fieldsOf(result as Fields);
  if (result.length === 0) return "none";
  return tableOf(result as Fields[]);
}

function fieldsOf(record: Fields): string {
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  return Object.entries(record)
    .map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}`)
    .join("\n");
}

function tableOf(records: Fields[]): string {
  const names = Object.keys(records[0] ?? {});
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
  return visible(typeof value === "object" ? JSON.stringify(value) : String(value));
}
