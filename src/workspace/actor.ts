import type { Review } from "../review/visits/review.ts";
import type { Member } from "./members/record.ts";
import type { TokenActor } from "./tokens/principal.ts";

/**
 * Who acts, by `kind`. The door that let them in makes the actor; a verb that several doors reach attributes its work
 * by it.
 */

export type Actor = TokenActor | Staff | ReviewClient;

/** An owner or admin of the workspace, or a caller for one. */
export type Staff = Admin | Operator;

/** An owner or admin of the workspace who signed in. */
interface Admin extends Member {
  kind: "admin";
}

/** A caller with the platform's keys, who acts for an owner or admin of the workspace. */
interface Operator extends Member {
  kind: "operator";
  /** As their machine names them; the audit log shows the name, and nothing else relies on it. */
  operator: string;
}

/** Somebody who opened a review by its link, as far as the link and their key tell who they are. */
export interface ReviewClient {
  kind: "client";
  review: Review;
  /** What the page that they sent a form from had shown them; the review as it stands, where a form does not tell. */
  seen: Pick<Review, "versionNumber" | "changeRequests">;
  /** The digest of the key in their cookie; empty, if they have none. */
  keyHash: string;
  /** Where they came from; stands on the certificate of a sign-off alone. */
  ipAddress: string | null;
  userAgent: string | null;
}
