import type * as z from "zod";

/** The text of an issue that its schema gave none. A schema's own message is used to the letter. */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  const field = (issue.path ?? []).join(".") || "body";
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? `${field} is required`
        : `${field} must be ${article(issue.expected)}`;
    case "unrecognized_keys":
      return `${[...(issue.path ?? []), issue.keys[0]].join(".")} is not a known field`;
    case "invalid_value":
      return `${field} must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.join(", ")}`;
    case "too_small":
      return `${field} must ${bound(issue.origin)} at least ${issue.minimum}${unit(issue.origin)}`;
    case "too_big":
      return `${field} must ${bound(issue.origin)} at most ${issue.maximum}${unit(issue.origin)}`;
    case "invalid_format":
      return `${field} must be a valid ${issue.format}`;
    default:
      return `${field} is not valid`;
  }
}

const article = (type: string) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);
const bound = (origin: string) => (origin === "string" || origin === "array" ? "have" : "be");
const unit = (origin: string) => (origin === "string" ? " characters" : origin === "array" ? " items" : "");
