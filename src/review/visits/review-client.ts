import type { Review } from "./review.ts";

/** Someone who opened a review by its link, as far as the link and their key identify them. */
export interface ReviewClient {
  kind: "client";
  review: Review;
  /** What the page of the form had shown them; the current review, if the form does not say. */
  seen: Pick<Review, "versionNumber" | "changeRequests">;
  /** The digest of the key in their cookie; empty without one. */
  keyHash: string;
  /** Where they came from. Only the certificate of a sign-off shows it. */
  ipAddress: string | null;
  userAgent: string | null;
}
