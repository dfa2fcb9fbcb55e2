import { Buffer } from "node:buffer";
import type * as z from "zod";
import { describeIssue } from "../contract/describe-issue.ts";
import { invalid, isFailureName, Refusal, refuse } from "../contract/failures.ts";
import { limits } from "../contract/limits.ts";

type Validated<T> = { value: T; refusal?: undefined } | { value?: undefined; refusal: Refusal };

/**
 * Validates by a schema; the first issue becomes a 400 whose text names the field first, or the failure it names.
 * Without a schema T is unknown to the route: it declares no such input, and gets none.
 */
export function validate<T>(schema: z.ZodType<T> | undefined, input: unknown): Validated<T> {
  if (!schema) return { value: undefined as T };
  const parsed = schema.safeParse(input, { error: describeIssue });
  if (parsed.success) return { value: parsed.data };
  const [issue] = parsed.error.issues;
  const failure = issue?.code === "custom" ? issue.params?.failure : undefined;
  if (isFailureName(failure)) return { refusal: refuse(failure) };
  return { refusal: invalid(issue?.message ?? "The request is not valid") };
}

/** Reads a JSON body of at most `maximumBytes`. Not JSON, or not sent as JSON: 400; larger: 413. */
export async function readJson(request: Request, maximumBytes: number): Promise<Validated<unknown>> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    return { refusal: invalid("Content-Type must be application/json") };
  }
  const bytes = await readAtMost(request, maximumBytes);
  if (bytes instanceof Refusal) return { refusal: bytes };
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes)) };
  } catch {
    return { refusal: invalid("The body is not valid JSON") };
  }
}

/** The whole body, or the 413 as soon as it is known to be larger. A declared length binds: no more arrives. */
export async function readAtMost(
  request: Request,
  maximumBytes: number,
): Promise<ArrayBuffer | Uint8Array | Refusal> {
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    return Number(declared) > maximumBytes ? tooLarge(maximumBytes) : request.arrayBuffer();
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maximumBytes) return tooLarge(maximumBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Whether a body may be large: it says so, or does not say how large it is. */
export function isLargeBody({ headers, body }: Request): boolean {
  const declared = headers.get("content-length");
  return declared === null ? body !== null : Number(declared) > limits.smallBodyBytes;
}

const tooLarge = (maximumBytes: number): Refusal =>
  refuse("payload_too_large", { error: `The body is over ${maximumBytes} bytes` });
