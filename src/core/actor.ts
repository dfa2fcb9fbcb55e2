import type { Member } from "../workspace/members/record.ts";

/**
 * Who acts: a token (`tokens/principal.ts`), a member or the operator, a client (`review/visits/review-client.ts`). The
 * door that let them in makes the actor; a verb that several doors reach attributes its work by it.
 */
export interface Actor {
  kind: string;
}

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
