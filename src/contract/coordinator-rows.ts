import type { DayOfUsage, LoggedRequest } from "./request-log.ts";

/** A row of the coordinator's request data, as in an organization's full export (contract B3). */
export type CoordinatorRow<E = LoggedRequest["events"]> =
  | {
      kind: "requests";
      id: number;
      token_id: string | null;
      last_ms: number;
      entries: readonly (Omit<LoggedRequest, "events"> & { events: E })[];
    }
  | ({ kind: "usage" } & DayOfUsage)
  | { kind: "last_use"; token_id: string; minute_ms: number };

export type CoordinatorRequests = Extract<CoordinatorRow, { kind: "requests" }>;
