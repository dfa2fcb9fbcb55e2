import type { Review } from "./review.ts";

/** Someone who opened a review, identified only by its link and their key. */
export interface ReviewClient {
  kind: "client";
  review: Review;
  /** The state that the form's page showed; the current state if the form does not contain it. */
  seen: Pick<Review, "versionNumber" | "changeRequests">;
  /** The digest of the key in their cookie; empty if there is none. */
  keyHash: string;
  /** The IP address and browser. Only a sign-off's certificate shows them. */
  ipAddress: string | null;
  userAgent: string | null;
}
