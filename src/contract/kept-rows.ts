import type { DayOfUsage, LoggedRequest } from "./request-log.ts";

/**
 * The request data that an organization's coordinator stores, row by row, as a complete copy includes it
 * (contract B3). `E` is the type of a request's events.
 */
export type KeptRow<E = LoggedRequest["events"]> =
  | {
      kind: "requests";
      id: number;
      token_id: string | null;
      last_ms: number;
      entries: readonly (Omit<LoggedRequest, "events"> & { events: E })[];
    }
  | ({ kind: "usage" } & DayOfUsage)
  | { kind: "last_use"; token_id: string; minute_ms: number };

export type KeptRequests = Extract<KeptRow, { kind: "requests" }>;
