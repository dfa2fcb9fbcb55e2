import type { Item } from "../src/contract.ts";
import { PartnerApiError, RefusedError } from "../src/errors.ts";
import type { PartnerApi } from "../src/partner-api.ts";
import { sleep } from "../src/retry.ts";

type Request = Item<"/api-v1/requests">;

interface LogsOptions {
  /** `404`, or `4xx`. */
  status?: string;
  /** Continues with each new request until `signal` aborts. */
  follow: boolean;
  /** Each request as a line of JSON. */
  json: boolean;
  signal: AbortSignal;
  tell(line: string): void;
}

/** The newest requests that are read first, and how many of them are shown. */
const firstLook = { requests: 200, shown: 20 };

/** The polling interval: 20 of the organization's requests per minute. */
const pollMs = 3_000;

/** A slow request may appear this long after others that arrived later. */
const lateMs = 60_000;

/** Shows the token's requests, oldest first, excluding those of this command. */
export async function logs(api: PartnerApi, options: LogsOptions): Promise<void> {
  const { status, follow, signal } = options;
  const query = { ...(status === undefined ? {} : { status }), limit: firstLook.requests };
  const { data } = await api.requests.list(query, { signal }).page();
  show(data.filter(isOfPartner).slice(0, firstLook.shown), options);
  const seen = new Map(data.map(({ request_id, at }) => [request_id, at]));
  let from = data.at(-1)?.at ?? "";
  while (follow && !signal.aborted) {
    from = latest(from, minuteBefore(latest(...seen.values())));
    try {
      await sleep(pollMs, signal);
      const found: Request[] = [];
      for await (const request of api.requests.list(query, { signal })) {
        if (request.at < from) break;
        if (!seen.has(request.request_id)) found.push(request);
      }
      for (const { request_id, at } of found) seen.set(request_id, at);
      for (const [id, at] of seen) if (at < from) seen.delete(id);
      show(found.filter(isOfPartner), options);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof PartnerApiError) || error instanceof RefusedError) throw error;
      options.tell(`The service is unreachable. Retrying: ${error.message}`);
    }
  }
}

function show(newestFirst: readonly Request[], { json, tell }: LogsOptions): void {
  for (const request of newestFirst.toReversed()) tell(json ? JSON.stringify(request) : lineOf(request));
}

const isOfPartner = ({ route, status }: Request) => route !== "/api-v1/requests" || status >= 400;

function lineOf({
  at,
  method,
  route,
  status,
  duration_ms,
  request_id,
  code,
  error,
  replay,
  count = 1,
}: Request): string {
  const times = count > 1 ? ` (${count} times)` : "";
  const answer = error === null ? (replay ? "replay" : "") : [code, error].filter(Boolean).join(": ") + times;
  return `${at}  ${status}  ${method.padEnd(4)} ${route}  ${duration_ms} ms  ${request_id}  ${answer}`.trimEnd();
}

const latest = (...times: string[]): string => times.toSorted().at(-1) ?? "";

const minuteBefore = (at: string): string =>
  at === "" ? "" : new Date(Date.parse(at) - lateMs).toISOString();
