/** How a request and the coordinator of its organization speak of an Idempotency-Key (CONTRACT 4). */

/** What a request asks of the coordinator beside being counted. */
export interface ClaimRequest {
  key: string;
  fingerprint: string;
  /**
   * Chosen by the caller, new for each request: a call that the runtime makes again finds the claim it took already.
   */
  holder: string;
  /** false: the request is refused already; only look whether an earlier one with this key succeeded. */
  take: boolean;
}

/** What became of that. */
export type Claim =
  | { state: "none" }
  /** waited: for another request with this key, or until its lease ended. What the caller read may be out of date. */
  | { state: "fresh"; waited: boolean }
  /** null: the answer is too long to be kept here; its row has it. */
  | { state: "replay"; answer: string | null }
  | { state: "mismatch" }
  | { state: "in_progress" };

/** A finished request: its answer is what replays get from now on. */
export interface Completion {
  key: string;
  fingerprint: string;
  /** JSON. */
  answer: string;
}
