import { Buffer } from "node:buffer";
import * as z from "zod";
import { isInvisible } from "../contract/characters.ts";
import { limits } from "../contract/limits.ts";
import { invalid, invalidName, Refusal, refuse } from "../contract/refusal.ts";
import { isTooDeep, parseExactly } from "./parse-exactly.ts";

/** Returns the fields of a body; undefined if it is not a plain object. */
const shapeOf = (schema: unknown) => (schema instanceof z.ZodObject ? schema.shape : undefined);

const mayBeAbsent = (field: unknown) => field instanceof z.ZodOptional || field instanceof z.ZodDefault;

/** Whether a field counts as absent: null, or an optional string without visible characters (contract R10, T6). */
function countsAsAbsent(schema: unknown, field: unknown): boolean {
  if (field === null) return mayBeAbsent(schema);
  if (typeof field !== "string" || !isInvisible(field) || !(schema instanceof z.ZodOptional)) return false;
  const { success, data } = schema.safeParse(field);
  return success && data === undefined;
}

/** Returns a body without the fields that count as absent. */
export function withoutAbsent(schema: unknown, value: unknown): unknown {
  if (mayBeAbsent(schema)) return withoutAbsent((schema as z.ZodOptional | z.ZodDefault).unwrap(), value);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => withoutAbsent(schema.element, item));
  }
  const shape = shapeOf(schema);
  if (!shape || typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const given = Object.entries(value).filter(([name, field]) => !countsAsAbsent(shape[name], field));
  return Object.fromEntries(given.map(([name, field]) => [name, withoutAbsent(shape[name], field)]));
}

/** How a body is read. If unknown fields are ignored, their values are ignored too. */
interface Readable {
  body: unknown;
  maximumBodyBytes: number;
  ignoresUnknown?: true;
}

/**
 * Reads a JSON body. Returns a 400 if it isn't JSON, a 413 if it is larger than `maximumBodyBytes`, and a 415 if it has
 * a Content-Encoding. A missing or empty body counts as `{}` if every field is optional (contract R9).
 */
export async function readBody(
  request: Request,
  { body, maximumBodyBytes, ignoresUnknown }: Readable,
): Promise<{ json: unknown } | Refusal> {
  const encoded = refuseEncoding(request.headers.get("content-encoding") ?? "");
  if (encoded) return encoded;
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    const isNone = mayBeEmpty(body) && !((await readAtMost(request, 0)) instanceof Refusal);
    return isNone ? { json: {} } : invalid("Content-Type must be application/json");
  }
  const bytes = await readAtMost(request, maximumBodyBytes);
  if (bytes instanceof Refusal) return bytes;
  if (bytes.byteLength === 0 && mayBeEmpty(body)) return { json: {} };
  return parseJson(bytes, ignoresUnknown ? Object.keys(shapeOf(body) ?? {}) : undefined);
}

const echoedEncodingCharacters = 50;

/**
 * Rejects an encoded body. `identity` is not an encoding. The response also lists the accepted encodings (RFC 9110,
 * 15.5.16).
 */
function refuseEncoding(encoding: string): Refusal | undefined {
  if (/^(?:identity)?$/i.test(encoding.trim())) return undefined;
  const named = { encoding: encoding.slice(0, echoedEncodingCharacters) };
  return refuse("content_encoding_not_supported", named, { "Accept-Encoding": "identity" });
}

/** Whether every field of a body is optional. */
export function mayBeEmpty(body: unknown): boolean {
  const shape = shapeOf(body);
  return shape !== undefined && Object.values(shape).every(mayBeAbsent);
}

function parseJson(bytes: ArrayBuffer | Uint8Array, fields?: readonly string[]): { json: unknown } | Refusal {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    if (isTooDeep(text)) return invalid(`The body must be nested at most ${limits.jsonLevels} levels deep`);
    const { value: json, inexact, repeated } = parseExactly(text, fields);
    if (inexact !== undefined)
      return invalidName(
        `${inexact} cannot be represented exactly`,
        "A number cannot be represented exactly",
      );
    if (repeated !== undefined) return invalidName(`${repeated} is repeated`, "A field is repeated");
    return { json };
  } catch {
    return invalid("The body is not valid JSON");
  }
}

/** Reads the whole body, or returns a 413 as soon as it is too large. No more bytes arrive than the declared length. */
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

/** Whether a body is large. A body without a declared length counts as large. */
export function isLargeBody({ headers, body }: Request): boolean {
  const declared = headers.get("content-length");
  return declared === null ? body !== null : Number(declared) > limits.smallBodyBytes;
}

/** Returns the number of bytes to reserve for a body: the declared length, or else the maximum. */
export function bytesToRead({ headers }: Request, maximumBytes: number): number {
  const declared = Number(headers.get("content-length") ?? maximumBytes);
  return Math.min(declared, maximumBytes);
}

const tooLarge = (maximumBytes: number): Refusal => refuse("payload_too_large", { maximumBytes });
