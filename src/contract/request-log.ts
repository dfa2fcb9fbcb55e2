/** One request past step 5. It contains nothing that a caller wrote except the id in its path. */
export interface LoggedRequest {
  request_id: string;
  /** When it arrived. */
  at: string;
  token_id: string;
  method: string;
  /** The path's template. */
  route: string;
  status: number;
  code: string | null;
  error: string | null;
  duration_ms: number;
  replay: boolean;
  /** The record in its path, or the one that it created. */
  subject_id: string | null;
  /** The `events.sequence` values between which each of its transactions recorded events. */
  events: readonly EventSpan[];
  /** How many requests this entry counts; absent: one. */
  count?: number;
}

/** A caller who ignores a 429 sends thousands of them: they are counted in one entry and do not fill the log. */
export const isCountedTogether = ({ status }: Pick<LoggedRequest, "status">): boolean => status === 429;

/** Requests with the same key share an entry: those of one token, route and minute that are counted together. */
export function entryKeyOf(request: LoggedRequest): string {
  const { request_id, token_id, method, route, at } = request;
  const minute = at.slice(0, "2026-01-31T09:30".length);
  return isCountedTogether(request) ? [token_id, method, route, minute].join(" ") : request_id;
}

/** One entry for requests with the same key. */
export const mergedEntry = (first: LoggedRequest, others: readonly LoggedRequest[]): LoggedRequest => ({
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
  /** One status (`404`), or the first digit of many (`4xx`). */
  status?: string | undefined;
  route?: string | undefined;
  /** Arrived at or after `since` and before `until`. */
  since?: string | undefined;
  until?: string | undefined;
  /** The last request of the previous page. */
  cursor?: string | undefined;
  limit: number;
}

/** What happened on a day (UTC). */
export interface DayOfUsage {
  day: string;
  /** By token. */
  requests: Record<string, TokenUsage>;
  /** Delivered webhooks. */
  deliveries: number;
}

export interface TokenUsage {
  requests: number;
  /** Those with a response status of 400 or more. */
  refusals: number;
}
