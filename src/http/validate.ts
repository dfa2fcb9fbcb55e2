import { Buffer } from "node:buffer";
import type * as z from "zod";
import { describeIssue } from "../catalogue/describe-issue.ts";
import { invalid, isFailureName, type Refusal, refuse } from "../catalogue/failures.ts";

type Validated<T> = { value: T; refusal?: undefined } | { value?: undefined; refusal: Refusal };

/** Validates by a schema; the first issue becomes a 400 whose text names the field first, or the failure it names. */
export function validate<T>(schema: z.ZodType<T>, input: unknown): Validated<T> {
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
  if (!bytes)
    return { refusal: refuse("payload_too_large", { error: `The body is over ${maximumBytes} bytes` }) };
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes)) };
  } catch {
    return { refusal: invalid("The body is not valid JSON") };
  }
}

/** The whole body, or null as soon as it is known to be larger. A declared length binds: no more arrives. */
async function readAtMost(request: Request, maximumBytes: number): Promise<ArrayBuffer | Uint8Array | null> {
  const declaredBytes = request.headers.get("content-length");
  if (declaredBytes === null) return readChunksAtMost(request, maximumBytes);
  return Number(declaredBytes) <= maximumBytes ? request.arrayBuffer() : null;
}

async function readChunksAtMost(request: Request, maximumBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maximumBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
