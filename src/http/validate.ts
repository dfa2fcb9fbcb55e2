import type { z } from "zod";
import { invalid, type Refusal, refuse } from "../catalogue/failures.ts";

type Validated<T> = { value: T; refusal?: undefined } | { value?: undefined; refusal: Refusal };

/** Validates by a schema; the first issue becomes a 400 whose text names the field first. */
export function validate<T>(schema: z.ZodType<T>, input: unknown): Validated<T> {
  const parsed = schema.safeParse(input, { error: describe });
  if (parsed.success) return { value: parsed.data };
  return { refusal: invalid(parsed.error.issues[0]?.message ?? "The request is not valid") };
}

/** The text of an issue that its schema gave none. A schema's own message is used to the letter. */
function describe(issue: z.core.$ZodRawIssue): string {
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

/** Reads a JSON body of at most `maximumBytes`. Not JSON, or not sent as JSON: 400; larger: 413. */
export async function readJson(request: Request, maximumBytes: number): Promise<Validated<unknown>> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    return { refusal: invalid("Content-Type must be application/json") };
  }
  const bytes = await readAtMost(request, maximumBytes);
  if (!bytes)
    return { refusal: refuse("payload_too_large", { error: `The body is over ${maximumBytes} bytes` }) };
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes)) };
  } catch {
    return { refusal: invalid("The body is not valid JSON") };
  }
}

/** The whole body, or null as soon as it is known to be larger. */
async function readAtMost(request: Request, maximumBytes: number): Promise<Uint8Array | null> {
  if (Number(request.headers.get("content-length") ?? 0) > maximumBytes) return null;
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body as ReadableStream<Uint8Array>) {
    length += chunk.byteLength;
    if (length > maximumBytes) return null;
    chunks.push(chunk);
  }
  if (chunks.length === 1) return chunks[0] as Uint8Array;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}
