import { limits } from "../../src/contract/limits.ts";
import { webhookLimits } from "../../src/contract/webhook-limits.ts";
import type { Values } from "./sources.ts";

/** The moment of the statement, as UTC text with milliseconds. */
const now = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";

/** What the sources of triggers may name: the moment, and every number of the contract's limits. */
export const values: Values = {
  now,
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
