/**
 * What the front says about a request to a cell, in headers. A cell trusts them only with one of its
 * FRONT_KEYs; the front removes them from outside requests.
 */
export const frontHeaders = {
  key: "x-front-key",
  /** `unknown`: the directory has no such token. */
  token: "x-front-token",
  /** SERVICE_STATE of the front. */
  state: "x-front-state",
  /** `away`: the workspace's cell, or the directory, did not respond. */
  cell: "x-front-cell",
  /** How to receive a payment event. */
  event: "x-front-event",
} as const;
