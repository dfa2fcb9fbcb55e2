import * as z from "zod";
import { describeIssue, fieldName } from "../contract/describe-issue.ts";
import { loggedProblem, problemsIn } from "../contract/problems.ts";
import { invalidIn, invalidName, isFailureName, Refusal, refuse } from "../contract/refusal.ts";

/**
 * Validates input against a schema. A 400 has the first issue's message and lists all issues. An issue can also name
 * another failure. A route without a schema declares no such input.
 */
export function validate<T>(schema: z.ZodType<T> | undefined, input: unknown): T | Refusal {
  if (!schema) return undefined as T;
  const parsed = schema.safeParse(input, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const failure = issue?.code === "custom" ? issue.params?.failure : undefined;
  if (isFailureName(failure)) return refuse(failure);
  return invalidIn(problemsIn(parsed.error, schema), loggedProblem(parsed.error, schema));
}

/** For routes that declare no parameters. */
const noParameters = z.strictObject({});

/** Validates the query parameters of a URL. Unknown and repeated parameters are a 400, except on the legacy routes. */
export function validateQuery<T>(
  { query, ignoresUnknown }: { query?: z.ZodObject & z.ZodType<T>; ignoresUnknown?: boolean },
  address: string,
): T | Refusal {
  const parameters = ignoresUnknown || !address.includes("?") ? [] : [...new URL(address).searchParams];
  const names = parameters.map(([name]) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) {
    const error = `${fieldName([repeated])} may only be given once`;
    return invalidName(error, "A parameter may only be given once");
  }
  // The cast is safe: without a schema, the route doesn't know T.
  const schema = query ?? (noParameters as z.ZodType<unknown> as z.ZodType<T>);
  return validate(schema, Object.fromEntries(parameters));
}

/** Returns the refusal for several inputs: the first one, or a 400 with the problems from all of them. */
export function refusalAmong(...inputs: unknown[]): Refusal {
  const refusals = inputs.filter((input) => input instanceof Refusal);
  const [first] = refusals;
  if (first && first.name !== "validation") return first;
  return invalidIn(
    refusals.flatMap(({ problems }) => problems),
    first?.logged,
  );
}
