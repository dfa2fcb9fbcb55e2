import type { Review } from "./review.ts";

/** Somebody who opened a review by its link, as far as the link and their key tell who they are. */
export interface ReviewClient {
  kind: "client";
  review: Review;
  /** What the page that they sent a form from had shown them; the present review, where a form does not say. */
  seen: Pick<Review, "versionNumber" | "changeRequests">;
  /** The digest of the key in their cookie; empty, if they have none. */
  keyHash: string;
  /** Where they came from. Only the certificate of a sign-off shows it. */
  ipAddress: string | null;
  userAgent: string | null;
}
