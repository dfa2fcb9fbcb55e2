/** A request with a valid token. The id in its path is the only part that the caller wrote. */
export interface LoggedRequest {
  request_id: string;
  /** When the request arrived. */
  at: string;
  token_id: string;
  method: string;
  /** The path template. */
  route: string;
  status: number;
  code: string | null;
  error: string | null;
  duration_ms: number;
  replay: boolean;
  /** The record named in the path, or the one that the request created. */
  subject_id: string | null;
  /** For each transaction, the `events.sequence` values between which it recorded events. */
  events: readonly EventSpan[];
  /** How many requests this entry counts; absent: one. */
  count?: number;
}

/** Includes the ids of the token's previous and next requests. */
export interface FoundRequest extends LoggedRequest {
  earlier: string | null;
  later: string | null;
}

/** A caller who ignores 429s can send thousands of requests, which would otherwise fill the log. */
export const isCountedTogether = ({ status }: Pick<LoggedRequest, "status">): boolean => status === 429;

/** Requests with the same key share an entry: one per token, route and minute if they are counted together. */
export function entryKeyOf(request: LoggedRequest): string {
  const { request_id, token_id, method, route, at } = request;
  const minute = at.slice(0, "2026-01-31T09:30".length);
  return isCountedTogether(request) ? [token_id, method, route, minute].join(" ") : request_id;
}

/** Merges requests with the same entry key. */
export const mergeEntries = (first: LoggedRequest, others: readonly LoggedRequest[]): LoggedRequest => ({
  ...first,
  ...(isCountedTogether(first) && {
    count: others.reduce((sum, { count = 1 }) => sum + count, first.count ?? 1),
  }),
});

interface EventSpan {
  behind: number;
  upTo: number;
}

export interface RequestFilter {
  token?: string | undefined;
  /** One status (`404`), or a class of them (`4xx`). */
  status?: string | undefined;
  route?: string | undefined;
  /** Arrived at or after `since` and before `until`. */
  since?: string | undefined;
  until?: string | undefined;
  /** The last request of the previous page. */
  cursor?: string | undefined;
  limit: number;
}

/** One day's usage (UTC). */
export interface DayOfUsage {
  day: string;
  /** By token. */
  requests: Record<string, TokenUsage>;
  /** Webhooks delivered. */
  deliveries: number;
}

export interface TokenUsage {
  requests: number;
  /** Requests with a status of 400 or above. */
  refusals: number;
}
