import type * as z from "zod";
import { limits } from "./limits.ts";

/**
 * Formats the path of a field for an error message. The path is truncated because a caller can send a name of any
 * length.
 */
export function fieldName(path: readonly PropertyKey[]): string {
  const name = path.map(String).join(".");
  const isShort = name.length <= limits.echoedPathCharacters;
  return isShort ? name : `${name.slice(0, limits.echoedPathCharacters - 1).toWellFormed()}…`;
}

export const unknownField = (path: readonly PropertyKey[]): string =>
  `${fieldName(path)} is not a known field`;

/** Writes the message for an issue. A message in the schema takes precedence. */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  const field = fieldName(issue.path ?? []) || "body";
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? `${field} is required`
        : `${field} must be ${article(issue.expected)}`;
    case "unrecognized_keys":
      return unknownField([...(issue.path ?? []), issue.keys[0] ?? ""]);
    case "invalid_value":
      return `${field} must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.join(", ")}`;
    case "too_small":
      if (issue.inclusive === false) return `${field} must be more than ${issue.minimum}`;
      return `${field} must ${bound(issue.origin)} at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`;
    case "too_big":
      return `${field} must ${bound(issue.origin)} at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`;
    case "invalid_format":
      return `${field} must be a valid ${issue.format}`;
    default:
      return `${field} is not valid`;
  }
}

/** JSON's names for zod's types. */
const jsonTypes: Record<string, string> = { record: "object", int: "integer" };

function article(expected: string): string {
  const type = jsonTypes[expected] ?? expected;
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

const bound = (origin: string) => (origin === "string" || origin === "array" ? "have" : "be");

function unit(origin: string, count: number | bigint): string {
  const name = origin === "string" ? " character" : origin === "array" ? " item" : "";
  return name && Number(count) !== 1 ? `${name}s` : name;
}
