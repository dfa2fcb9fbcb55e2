import { AuthenticationError, type RefusalBody, RefusedError, ValidationError } from "./errors.ts";
import * as classes from "./refusals.ts";

const byStatus: Record<number, typeof RefusedError> = { 400: ValidationError, 401: AuthenticationError };

/** Creates the error for an unsuccessful response, including one from a proxy in front of the service. */
export function refusalOf(answer: Response, text: string): RefusedError {
  const body = refusalIn(text) ?? { error: answer.statusText || text.slice(0, 200) };
  const Class = byCode(body.code) ?? byStatus[answer.status] ?? RefusedError;
  return new Class(answer, body);
}

/** A class is named after its code. */
const byCode = (code = ""): typeof RefusedError | undefined =>
  Object.entries(classes).find(([name]) => name === nameOf(code))?.[1];

const nameOf = (code: string): string =>
  `${code.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}Error`;

/** Returns the service's error body. A proxy's JSON can have the same fields with other types. */
function refusalIn(text: string): RefusalBody | undefined {
  try {
    const body = JSON.parse(text);
    return isRefusal(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

const isRefusal = (body: Partial<Record<keyof RefusalBody, unknown>> | null): body is RefusalBody =>
  typeof body?.error === "string" &&
  (body.code === undefined || typeof body.code === "string") &&
  (body.errors === undefined || Array.isArray(body.errors));
