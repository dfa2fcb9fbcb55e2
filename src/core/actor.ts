import type { Member } from "../workspace/members/record.ts";

/**
 * The caller of a verb: a token (`tokens/principal.ts`), a member, the operator, or a client
 * (`review/visits/review-client.ts`). The entry point creates the actor when it authenticates the caller, and
 * verbs attribute their changes to it.
 */
export interface Actor {
  kind: string;
}

/** An owner or admin of the workspace, or an operator who acts on behalf of one. */
export type Staff = Admin | Operator;

/** A signed-in owner or admin of the workspace. */
interface Admin extends Member {
  kind: "admin";
}

/** A caller with the platform's keys who acts on behalf of an owner or admin of the workspace. */
interface Operator extends Member {
  kind: "operator";
  /** The user name on the operator's machine. It is shown in the audit log and used for nothing else. */
  operator: string;
}
