import type * as z from "zod";
import { limits } from "./limits.ts";

/** The name of a field as an error repeats it, truncated: a caller may send a name of megabytes. */
export function fieldName(path: readonly PropertyKey[]): string {
  const name = path.map(String).join(".");
  const isShort = name.length <= limits.echoedPathCharacters;
  return isShort ? name : `${name.slice(0, limits.echoedPathCharacters - 1).toWellFormed()}…`;
}

/** The message about an unknown field. */
export const unknownField = (path: readonly PropertyKey[]): string =>
  `${fieldName(path)} is not a known field`;

/** Describes an issue whose schema has no message. A schema's own message is used unchanged. */
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

/** The JSON names of types that zod calls something else. */
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
