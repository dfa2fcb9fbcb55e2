import { webhookLimits } from "../contract/webhook-limits.ts";

/** The outcome of one POST. `latencyMs` is the time until the outcome was known. */
export type PostOutcome =
  | {
      kind: "answer";
      status: number;
      /** The `Retry-After` header as received. */
      retryAfter: string | null;
      /** The body's first 2 KiB, as text. */
      body: string;
      latencyMs: number;
    }
  | { kind: "network_error" | "timeout"; latencyMs: number };

interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * Makes one attempt (contract W15-W17); never throws. A single deadline covers connect, headers and body. If the body
 * hangs or is cut off before its end, or before 16 KiB of it have been read, the attempt fails whatever its status.
 * Redirects count as responses and are not followed, because the signature must not reach another address.
 */
export async function postWebhook(
  fetcher: typeof fetch,
  { url, headers, body }: WebhookRequest,
  deadlineMs: number = webhookLimits.attemptDeadlineMs,
): Promise<PostOutcome> {
  const startedMs = Date.now();
  const latencyMs = () => Date.now() - startedMs;
  const signal = AbortSignal.timeout(deadlineMs);
  try {
    const response = await fetcher(url, { method: "POST", headers, body, redirect: "manual", signal });
    const { status, headers: received } = response;
    const kept = isShort(received) ? await response.text() : textOf(await readStart(response.body));
    return {
      kind: "answer",
      status,
      retryAfter: received.get("retry-after"),
      body: withoutNul(kept),
      latencyMs: latencyMs(),
    };
  } catch {
    return { kind: signal.aborted ? "timeout" : "network_error", latencyMs: latencyMs() };
  }
}

/** Whether the whole response will be kept. Reading it at once costs a fifth of reading it in chunks. */
const isShort = (headers: Headers): boolean =>
  Number(headers.get("content-length") ?? Number.POSITIVE_INFINITY) <= webhookLimits.answerKeptBytes &&
  !headers.has("content-encoding");

/** Reads to the end or to the limit of decompressed bytes, whichever comes first, and keeps the first 2 KiB. */
async function readStart(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const kept = new Uint8Array(webhookLimits.answerKeptBytes);
  if (!body) return kept.subarray(0, 0);
  const reader = body.getReader();
  let readBytes = 0;
  while (readBytes < webhookLimits.answerReadBytes) {
    const { done, value } = await reader.read();
    if (done) return kept.subarray(0, readBytes);
    kept.set(value.subarray(0, Math.max(0, kept.length - readBytes)), Math.min(readBytes, kept.length));
    readBytes += value.length;
  }
  reader.cancel().catch(() => {});
  return kept;
}

/** Decodes UTF-8 and drops a character that was cut off at the end. */
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes, { stream: true });

/** Removes NUL, because SQLite's text functions stop there. */
const withoutNul = (text: string): string => (text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text);
