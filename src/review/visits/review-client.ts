import type { Review } from "./review.ts";

/** Someone who opened a review by its link, as far as the link and their key identify them. */
export interface ReviewClient {
  kind: "client";
  review: Review;
  /** The state that the form's page showed; the current state, if the form does not say. */
  seen: Pick<Review, "versionNumber" | "changeRequests">;
  /** The digest of the key in their cookie; empty if there is none. */
  keyHash: string;
  /** The IP address and browser. Only a sign-off's certificate shows them. */
  ipAddress: string | null;
  userAgent: string | null;
}
