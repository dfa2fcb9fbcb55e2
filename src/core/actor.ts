import type { Member } from "../workspace/members/record.ts";

/**
 * The caller of an operation: a token (`tokens/principal.ts`), a member, the operator, or a client
 * (`review/visits/review-client.ts`). The entry point creates the actor when it authenticates the caller, and changes
 * are attributed to it.
 */
export interface Actor {
  kind: string;
}

/** An owner or admin of the workspace, or an operator acting on behalf of one. */
export type Staff = Admin | Operator;

interface Admin extends Member {
  kind: "admin";
}

/** A caller with the platform's keys, acting on behalf of an owner or admin of the workspace. */
interface Operator extends Member {
  kind: "operator";
  /** The user name on the operator's machine, for the audit log only. */
  operator: string;
}
