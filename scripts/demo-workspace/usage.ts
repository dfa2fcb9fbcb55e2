import type { LoggedRequest } from "../../src/contract/request-log.ts";

const dayMs = 86_400_000;
const days = 30;
const momentMs = 60_000;

type Call = Pick<LoggedRequest, "method" | "route" | "status"> & Partial<LoggedRequest>;

const read = (route: string): Call => ({ method: "GET", route, status: 200 });
const made = (route: string): Call => ({ method: "POST", route, status: 201 });
const refused: Call = {
  method: "POST",
  route: "/api-v1/time-entries",
  status: 400,
  code: null,
  error: "hours must be a number, or started_at and ended_at",
};

/** Daily requests per integration, by token name. */
const programs: Record<string, (weekday: boolean, day: number) => Call[]> = {
  "Time tracker": (weekday, day) => [
    read("/api-v1/projects"),
    ...Array.from({ length: weekday ? 7 + ((day * 5) % 6) : day % 2 }, () => made("/api-v1/time-entries")),
    ...(day % 6 === 2 ? [refused] : []),
  ],
  "Website contact form": (weekday, day) =>
    Array.from({ length: weekday ? 1 + ((day * 7) % 3) : 0 }, () => [
      made("/api-v1/clients"),
      made("/api-ingest-request"),
    ]).flat(),
};

export const usedTokens = Object.keys(programs);

/** The requests made with a token before `now`, oldest first. */
export function requestsBefore(now: Date, name: string, token_id: string): LoggedRequest[] {
  return Array.from({ length: days }, (_, index) => days - index).flatMap((ago) => {
    const first = new Date(now.getTime() - ago * dayMs);
    const isWeekday = ![0, 6].includes(first.getUTCDay());
    const calls = programs[name]?.(isWeekday, ago) ?? [];
    return calls.map((call, index) => ({
      ...{ request_id: crypto.randomUUID(), token_id, code: null, error: null, replay: false },
      ...{ subject_id: null, events: [], duration_ms: 3 + ((ago + index * 3) % 9) },
      ...call,
      // Spreads the requests over the day that ends now; the last one was made a moment ago.
      at: new Date(first.getTime() + ((index + 1) * dayMs) / calls.length - momentMs).toISOString(),
    }));
  });
}
