import { limits } from "../../src/contract/limits.ts";
import { testEvent } from "../../src/contract/test-event.ts";
import { webhookLimits } from "../../src/contract/webhook-limits.ts";
import type { SourceValues } from "./sources.ts";

/** The moment of the statement, as UTC text with milliseconds. */
const now = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";

/**
 * A name as payloads carry it: an e-mail address in it leaves as its part before the @ (CONTRACT 6). The address ends
 * at the next blank, and its domain has a dot.
 */
function nameOf(column: string): string {
  const at = `instr(${column}, '@')`;
  const behind = `substr(${column}, ${at} + 1)`;
  const end = `instr(${behind} || ' ', ' ')`;
  const isAddress = `${column} GLOB '*[^ ]@?*' AND substr(${behind}, 1, ${end} - 1) GLOB '?*.?*'`;
  return `iif(${isAddress}, substr(${column}, 1, ${at} - 1) || substr(${behind}, ${end}), ${column})`;
}

/** What the sources of triggers may name: the moment, the form of names, and every number of the contract's limits. */
export const values: SourceValues = {
  now,
  nameOf,
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
