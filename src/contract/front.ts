/**
 * Headers that the front adds to a request to a cell. The cell trusts them only together with one of its front keys.
 * The front removes them from requests from outside.
 */
export const frontHeaders = {
  key: "x-front-key",
  /** `unknown`: the directory has no such token. */
  token: "x-front-token",
  /** The front's service state (SERVICE_STATE). */
  state: "x-front-state",
  /** `away`: the workspace's cell, or the directory, did not respond. */
  cell: "x-front-cell",
  /** How to handle a payment event (processor/receive-stripe-event.ts). */
  event: "x-front-event",
} as const;
