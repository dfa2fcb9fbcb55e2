import * as z from "zod";
import { fieldName, unknownField } from "./describe-issue.ts";
import { limits } from "./limits.ts";
import { nearest } from "./nearest.ts";

/** One problem with a request, as listed in problem details (contract E9). */
export const FieldProblem = z
  .object({
    field: z.string().meta({ description: "The field's path", example: "line_items.0.quantity" }),
    message: z.string().meta({ description: "What is wrong, starting with the field's name" }),
    suggestion: z.string().optional().meta({ description: "The field name that you probably meant" }),
  })
  .meta({ id: "FieldProblem" });
export type FieldProblem = z.output<typeof FieldProblem>;

/** Extracts the field from a message, which starts with the field's name (contract E7). */
export function problemIn(message: string): FieldProblem {
  const [first = ""] = message.split(" ");
  return { field: first === "The" ? "body" : first, message };
}

/** Returns every problem that a schema found, up to `limits.maxProblems`. */
export const problemsIn = ({ issues }: z.ZodError, schema: z.ZodType): FieldProblem[] =>
  issues
    .slice(0, limits.maxProblems)
    .flatMap((issue) => problemsOf(issue, schema))
    .slice(0, limits.maxProblems);

/** Returns the first problem, for the request log, without names that the caller chose. */
export function loggedProblem({ issues: [issue] }: z.ZodError, schema: z.ZodType): string | undefined {
  if (issue?.code !== "unrecognized_keys") return issue?.message;
  const [problem] = problemsOf(issue, schema);
  return (
    unknownField([...issue.path, unknownName]) + (problem?.suggestion ? ` (${problem.suggestion}?)` : "")
  );
}

/** Stands in for a name that the caller chose. */
const unknownName = "…";

function problemsOf(issue: z.core.$ZodIssue, schema: z.ZodType): FieldProblem[] {
  const { path, message } = issue;
  if (issue.code !== "unrecognized_keys") {
    return [path.length > 0 ? { field: fieldName(path), message } : problemIn(message)];
  }
  const known = namesAt(schema, path);
  return issue.keys.slice(0, limits.maxProblems).map((key) => {
    const at = [...path, key];
    const suggestion = nearest(key, known);
    return { field: fieldName(at), message: unknownField(at), ...(suggestion && { suggestion }) };
  });
}

/** Unwraps an optional, a default or a transformation. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return unwrapped(schema.def.innerType);
  return schema instanceof z.ZodPipe ? unwrapped(schema.def.in) : schema;
}

/** Returns the field names that an object at this path may have. */
function namesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const at = unwrapped(schema);
  const [first, ...rest] = path;
  if (at instanceof z.ZodArray) return namesAt(at.element, rest);
  if (!(at instanceof z.ZodObject)) return [];
  const within = first === undefined ? undefined : at.shape[String(first)];
  return within ? namesAt(within, rest) : Object.keys(at.shape);
}
