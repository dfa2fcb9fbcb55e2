import type { Member } from "../workspace/members/record.ts";

/**
 * Who acts: a token (`tokens/principal.ts`), a member or the operator, or a client
 * (`review/visits/review-client.ts`). The entry point that authenticates the caller creates the actor; a verb
 * that several entry points share attributes its work to it.
 */
export interface Actor {
  kind: string;
}

/** An owner or admin of the workspace, or someone acting for one. */
export type Staff = Admin | Operator;

/** An owner or admin of the workspace who is signed in. */
interface Admin extends Member {
  kind: "admin";
}

/** A caller with the platform's keys, acting for an owner or admin of the workspace. */
interface Operator extends Member {
  kind: "operator";
  /** The user name on the operator's machine. The audit log shows it; nothing else relies on it. */
  operator: string;
}
