/** What a request and its organization's coordinator tell each other about an Idempotency-Key (CONTRACT 4). */

/** What a request asks the coordinator for, besides being counted. */
export interface ClaimRequest {
  key: string;
  fingerprint: string;
  /**
   * A new id that the caller makes for each request. If the runtime repeats a call, it finds the claim that it took
   * already.
   */
  holder: string;
  /**
   * false for a refused request: it takes no claim and only asks whether an earlier request with this key succeeded.
   */
  take: boolean;
}

/** The coordinator's answer. */
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
