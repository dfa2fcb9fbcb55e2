import { ConnectionError, RefusedError, refusalOf, TimeoutError } from "./errors.ts";
import { delayMs, isWaitedFor, retryAfterMs, sleep } from "./retry.ts";

export interface ConnectionOptions {
  /** Where the service is, e.g. https://api.example.com */
  baseUrl: string;
  /** The gateway's public key. */
  apikey: string;
  /** `svc_…`: what an admin of the workspace minted. */
  token: string;
  /** Of one attempt, answer and body included. Default: 30 seconds. */
  timeoutMs?: number;
  /** Attempts after the first. Default: 3. */
  maxRetries?: number;
  fetch?: typeof fetch;
}

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  maxRetries?: number;
}

export interface Call extends RequestOptions {
  method: "GET" | "POST";
  path: string;
  query?: Record<string, unknown>;
  body?: unknown;
  idempotencyKey?: string | undefined;
  /** The answer as it comes, for bytes; otherwise it is read whole within the timeout. */
  stream?: boolean;
}

const defaults = { timeoutMs: 30_000, maxRetries: 3 };

/** One call, with its retries. Resolves with a success; a refusal throws its class of error. */
export async function send(connection: ConnectionOptions, call: Call): Promise<Response> {
  const { maxRetries } = { ...defaults, ...given(connection), ...given(call) };
  for (let retry = 0; ; retry++) {
    const outcome = await attempt(connection, call);
    if (outcome instanceof Response && outcome.ok) return outcome;
    const error = outcome instanceof Response ? await refusalOf(outcome) : outcome;
    const hintMs = error instanceof RefusedError ? retryAfterMs(error.headers, Date.now()) : undefined;
    if (retry >= maxRetries || !error.retryable || !isWaitedFor(hintMs)) throw error;
    await sleep(delayMs(retry, hintMs, Math.random), call.signal);
  }
}

/** An answer, or why there is none. Only the caller's own abort throws, and what no attempt could send. */
async function attempt(connection: ConnectionOptions, call: Call): Promise<Response | ConnectionError> {
  const { timeoutMs } = { ...defaults, ...given(connection), ...given(call) };
  const url = urlOf(connection.baseUrl, call);
  const headers = new Headers(headersOf(connection, call));
  const body = call.body === undefined ? null : JSON.stringify(call.body);
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout;
  try {
    const answer = await (connection.fetch ?? fetch)(url, {
      method: call.method,
      headers,
      body,
      // The token must not travel to another address.
      redirect: "manual",
      signal,
    });
    if (call.stream && answer.ok) return answer;
    const whole = new Response(await answer.arrayBuffer(), answer);
    if (answer.ok && !answer.headers.get("content-type")?.includes("json")) {
      return new ConnectionError(`No answer of the service: ${(await whole.text()).slice(0, 200)}`);
    }
    return whole;
  } catch (error) {
    call.signal?.throwIfAborted();
    if (timeout.aborted) return new TimeoutError(`No answer within ${timeoutMs} ms`, { cause: error });
    return new ConnectionError(`No answer: ${(error as Error).message}`, { cause: error });
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
    accept: "application/json",
    apikey,
    authorization: `Bearer ${token}`,
    ...(call.body === undefined ? {} : { "content-type": "application/json" }),
    ...(call.idempotencyKey === undefined ? {} : { "idempotency-key": call.idempotencyKey }),
  };
}

/** Without what is undefined, so that it does not hide a default. */
const given = ({ timeoutMs, maxRetries }: RequestOptions | ConnectionOptions) => ({
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
  ...(maxRetries === undefined ? {} : { maxRetries }),
});
