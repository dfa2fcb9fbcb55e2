import openapi from "../../openapi.json";
import { oauthErrors } from "../../src/contract/oauth-errors.ts";
import { refusals } from "../../src/contract/refusals.ts";

export const errorCodes = new Set<string>([
  ...Object.values(refusals).flatMap((refusal) => ("code" in refusal ? [refusal.code] : [])),
  ...Object.keys(refusals),
  ...oauthErrors,
]);

/** Strings sent by requests, except for short ones. */
export const sentStrings = new Set<string>();
const minCharacters = 6;
const vocabulary = JSON.stringify([openapi.paths, [...errorCodes]]);

/** Whether a line contains a string that a request sent. Words from the contract are exempt. */
export const containsSentString = (line: string): boolean =>
  [...sentStrings].some((text) => line.includes(text) && !vocabulary.includes(text));

/** Records every string in a request. */
export function recordSentStrings(value: unknown): void {
  if (typeof value === "string") {
    if (value.length >= minCharacters) sentStrings.add(value);
  } else if (typeof value === "object" && value !== null) Object.values(value).forEach(recordSentStrings);
}

export function recordSentJson(text: string): void {
  try {
    recordSentStrings(JSON.parse(text));
  } catch {
    recordSentStrings(text);
  }
}
