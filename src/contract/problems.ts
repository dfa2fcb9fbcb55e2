import { distance } from "fastest-levenshtein";
import * as z from "zod";
import { fieldName } from "./describe-issue.ts";
import { limits } from "./limits.ts";

/** One thing that is wrong with a request, as problem details list it (contract E9). */
export const FieldProblem = z
  .object({
    field: z
      .string()
      .meta({ description: "Where it is, from the outside in", example: "line_items.0.quantity" }),
    message: z.string().meta({ description: "What is wrong; it begins with the field" }),
    suggestion: z.string().optional().meta({ description: "The name that was perhaps meant" }),
  })
  .meta({ id: "FieldProblem" });
export type FieldProblem = z.output<typeof FieldProblem>;

/** What a text says is wrong: by contract it begins with the field that it is about. */
export function problemIn(message: string): FieldProblem {
  const [first = ""] = message.split(" ");
  return { field: first === "The" ? "body" : first, message };
}

/** Every problem that a schema found; at most `limits.toldProblems`. */
export const problemsIn = ({ issues }: z.ZodError, schema: z.ZodType): FieldProblem[] =>
  issues.flatMap((issue) => problemsOf(issue, schema)).slice(0, limits.toldProblems);

function problemsOf(issue: z.core.$ZodIssue, schema: z.ZodType): FieldProblem[] {
  const { path, message } = issue;
  if (issue.code !== "unrecognized_keys") {
    return [path.length > 0 ? { field: fieldName(path), message } : problemIn(message)];
  }
  const known = namesAt(schema, path);
  return issue.keys.slice(0, limits.toldProblems).map((key) => {
    const field = fieldName([...path, key]);
    const suggestion = nearest(key, known);
    return { field, message: `${field} is not a known field`, ...(suggestion && { suggestion }) };
  });
}

/** Without what a schema wraps around another: optional, a default, a transformation. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return unwrapped(schema.def.innerType);
  return schema instanceof z.ZodPipe ? unwrapped(schema.def.in) : schema;
}

/** The names of the fields that an object at a path may have. */
function namesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const at = unwrapped(schema);
  const [first, ...rest] = path;
  if (at instanceof z.ZodArray) return namesAt(at.element, rest);
  if (!(at instanceof z.ZodObject)) return [];
  const within = first === undefined ? undefined : at.shape[String(first)];
  return within ? namesAt(within, rest) : Object.keys(at.shape);
}

/** Names in other words of code: `clientName`, `client-name`. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** The name that is meant, if one is near enough: one letter in three may be wrong. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const given = plain(name.slice(0, limits.echoedPathCharacters));
  const [best] = known
    .map((each) => ({ each, away: distance(given, plain(each)) }))
    .sort((a, b) => a.away - b.away);
  return best && best.away <= Math.floor(given.length / 3) ? best.each : undefined;
}
