import type { Review } from "./review.ts";

/** Someone who opened a review, identified only by its link and their key. */
export interface ReviewClient {
  kind: "client";
  review: Review;
  /** The state that the form's page showed, or the current state if the form does not contain it. */
  seen: Pick<Review, "versionNumber" | "changeRequests">;
  /** The digest of the key in the cookie; empty if there is none. */
  keyHash: string;
  /** The IP address and browser. Shown only on a sign-off's certificate. */
  ipAddress: string | null;
  userAgent: string | null;
}
