import { ConnectionError, PartnerApiError, RefusedError, TimeoutError } from "./errors.ts";
import { refusalOf } from "./refusal-of.ts";
import { keepRequestId } from "./request-id.ts";
import { delayMs, isWaitedFor, retryAfterMs, sleep } from "./retry.ts";

export interface RequestOptions {
  /** Aborts the call, even between attempts. */
  signal?: AbortSignal | undefined;
  /** Per attempt, response body included. Default: 30 seconds. */
  timeoutMs?: number;
  /** Attempts after the first. Default: 3. */
  maxRetries?: number;
  /** Called before the pause of each retry, for logs and metrics. */
  onRetry?: (retry: Retry) => void;
}

export interface ConnectionOptions extends Omit<RequestOptions, "signal"> {
  /** The service's address, such as https://api.example.com */
  baseUrl: string;
  /** The gateway's public key. */
  apikey: string;
  /** The `svc_…` token, which an admin of the workspace creates. */
  token: string;
  fetch?: typeof fetch;
}

/** A failed attempt that is about to be retried. */
export interface Retry {
  /** 1 for the first retry, which is the second attempt. */
  retry: number;
  delayMs: number;
  /** Why the attempt failed. */
  error: PartnerApiError;
  method: "GET" | "POST";
  path: string;
}

export interface Call extends RequestOptions {
  method: "GET" | "POST";
  path: string;
  query?: Record<string, unknown>;
  body?: unknown;
  idempotencyKey?: string | undefined;
}

const defaults = { timeoutMs: 30_000, maxRetries: 3, onRetry: (_: Retry) => {} };

/** Returns the JSON of a successful response. Throws an error class for any other. */
export async function sendForJson<T extends object>(connection: ConnectionOptions, call: Call): Promise<T> {
  return send(connection, call, async (answer) => {
    const text = await answer.text();
    const body = objectIn<T>(text);
    // The response was truncated, or comes from a proxy in front of the service.
    if (body === undefined)
      throw new ConnectionError(`Unreadable response from the service: ${text.slice(0, 200)}`);
    keepRequestId(body, answer);
    return body;
  });
}

/** Returns a successful response with its body unread. */
export const sendForStream = (connection: ConnectionOptions, call: Call): Promise<Response> =>
  send(connection, call, async (answer) => answer);

type Take<T> = (success: Response) => Promise<T>;

/** Sends a call and retries it. */
async function send<T>(connection: ConnectionOptions, call: Call, take: Take<T>): Promise<T> {
  const { maxRetries, onRetry } = { ...defaults, ...given(connection), ...given(call) };
  const { method, path, signal } = call;
  for (let retry = 1; ; retry++) {
    const outcome = await attempt(connection, call, take);
    if (!(outcome instanceof PartnerApiError)) return outcome;
    const hintMs = outcome instanceof RefusedError ? retryAfterMs(outcome.headers, Date.now()) : undefined;
    if (retry > maxRetries || !outcome.retryable || !isWaitedFor(hintMs)) throw outcome;
    const pauseMs = delayMs(retry - 1, hintMs, Math.random);
    onRetry({ retry, delayMs: pauseMs, error: outcome, method, path });
    await sleep(pauseMs, signal);
  }
}

/** Makes one attempt and returns its content or error. Throws if the caller aborts or the request is invalid. */
async function attempt<T>(
  connection: ConnectionOptions,
  call: Call,
  take: Take<T>,
): Promise<T | PartnerApiError> {
  const { timeoutMs } = { ...defaults, ...given(connection), ...given(call) };
  const url = urlOf(connection.baseUrl, call);
  const headers = new Headers(headersOf(connection, call));
  const body = call.body === undefined ? null : JSON.stringify(call.body);
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout;
  try {
    // Redirects are not followed, because the token must not be sent to another address.
    const request = { method: call.method, headers, body, redirect: "manual", signal } as const;
    const answer = await (connection.fetch ?? fetch)(url, request);
    return answer.ok ? await take(answer) : refusalOf(answer, await answer.text());
  } catch (error) {
    call.signal?.throwIfAborted();
    if (error instanceof ConnectionError) return error;
    if (timeout.aborted) return new TimeoutError(`No response within ${timeoutMs} ms`, { cause: error });
    return new ConnectionError(`No response: ${(error as Error).message}`, { cause: error });
  }
}

function objectIn<T extends object>(text: string): T | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function urlOf(baseUrl: string, { path, query = {} }: Call): string {
  const url = new URL(baseUrl.replace(/\/$/, "") + path);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  }
  return url.href;
}

function headersOf({ apikey, token }: ConnectionOptions, call: Call): Record<string, string> {
  return {
    accept: "application/json, application/problem+json",
    apikey,
    authorization: `Bearer ${token}`,
    ...(call.body === undefined ? {} : { "content-type": "application/json" }),
    ...(call.idempotencyKey === undefined ? {} : { "idempotency-key": call.idempotencyKey }),
  };
}

/** Drops undefined values, so that they do not override defaults. */
const given = ({ timeoutMs, maxRetries, onRetry }: Omit<RequestOptions, "signal">) => ({
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
  ...(maxRetries === undefined ? {} : { maxRetries }),
  ...(onRetry === undefined ? {} : { onRetry }),
});
