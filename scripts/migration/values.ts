import { limits } from "../../src/contract/limits.ts";
import { testEvent } from "../../src/contract/test-event.ts";
import { webhookLimits } from "../../src/contract/webhook-limits.ts";
import type { SourceValues } from "./sources.ts";

/** The moment of the statement, as UTC text with milliseconds. */
const now = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";

/** A name as payloads carry it: each word that is an e-mail address leaves as its part before the @ (CONTRACT 6). */
function nameOf(column: string): string {
  const words = `json_each('[' || replace(json_quote(${column}), ' ', '","') || ']')`;
  const word = "iif(value GLOB '?*@?*.?*', substr(value, 1, instr(value, '@') - 1), value)";
  return `(SELECT group_concat(${word}, ' ' ORDER BY key) FROM ${words})`;
}

const units = "minor_units_per_unit";

/** An amount as payloads carry it, out of minor units: a decimal in the currency's own digits, whole if it is whole. */
const decimalOf = (minor: string): string =>
  `iif(${minor} % ${units}, ${minor} * 1.0 / ${units}, ${minor} / ${units})`;

/** How many records a row of evidence counts beside itself. */
const moreRecordsOf = (row: string): string =>
  `(octet_length(${row}.content) + octet_length(${row}.metadata)) / ${limits.recordBytes}`;

/** What the sources of triggers may name: the moment, how names and amounts leave, every number of the limits. */
export const values: SourceValues = {
  now,
  nameOf,
  decimalOf,
  moreRecordsOf,
  testEvent,
  ...numbersOf("limits", limits),
  ...numbersOf("webhookLimits", webhookLimits),
};

function numbersOf(path: string, value: unknown): Record<string, number> {
  if (typeof value === "number") return { [path]: value };
  if (typeof value !== "object" || value === null) return {};
  return Object.assign(
    {},
    ...Object.entries(value).map(([name, inner]) => numbersOf(`${path}.${name}`, inner)),
  );
}
