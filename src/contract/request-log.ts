/** A request with a valid token. The id in the path is the only part that comes from the caller. */
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
  /** The id of the record in the path, or of the record that the request created. */
  subject_id: string | null;
  /** For each transaction, the range of `events.sequence` in which it recorded events. */
  events: readonly EventSpan[];
  /** How many requests this entry counts; 1 if absent. */
  count?: number;
}

/** Includes the ids of the token's previous and next requests. */
export interface FoundRequest extends LoggedRequest {
  earlier: string | null;
  later: string | null;
}

/**
 * Whether the request shares an entry with others, because a caller that ignores 429s can send thousands of requests,
 * which would otherwise fill the log.
 */
export const sharesEntry = ({ status }: Pick<LoggedRequest, "status">): boolean => status === 429;

/**
 * Returns the key of a request's entry. Requests that share an entry have one per token, route and minute.
 */
export function entryKeyOf(request: LoggedRequest): string {
  const { request_id, token_id, method, route, at } = request;
  const minute = at.slice(0, "2026-01-31T09:30".length);
  return sharesEntry(request) ? [token_id, method, route, minute].join(" ") : request_id;
}

/** Merges requests with the same entry key. */
export const mergeEntries = (first: LoggedRequest, others: readonly LoggedRequest[]): LoggedRequest => ({
  ...first,
  ...(sharesEntry(first) && {
    count: others.reduce((sum, { count = 1 }) => sum + count, first.count ?? 1),
  }),
});

interface EventSpan {
  behind: number;
  upTo: number;
}

export interface RequestFilter {
  token?: string | undefined;
  /** A status (`404`), or a class of statuses (`4xx`). */
  status?: string | undefined;
  route?: string | undefined;
  /** Arrived at or after `since` and before `until`. */
  since?: string | undefined;
  until?: string | undefined;
  /** The last request on the previous page. */
  cursor?: string | undefined;
  limit: number;
}

/** One day's usage (UTC). */
export interface DayOfUsage {
  day: string;
  /** By token id. */
  requests: Record<string, TokenUsage>;
  /** Webhooks delivered. */
  deliveries: number;
}

export interface TokenUsage {
  requests: number;
  /** Requests with a status of 400 or above. */
  refusals: number;
}
