import type { Refusal } from "./failures.ts";

/** Why an operation is refused; HTTP makes a status of it. `plan`: the operation needs another plan. */
export const refusalReasons = ["invalid", "not_found", "not_allowed", "plan", "unexpected"] as const;
type RefusalReason = (typeof refusalReasons)[number];

/** The status of a refusal over HTTP (CONTRACT 11). */
export const refusalStatus = {
  invalid: 400,
  not_allowed: 403,
  plan: 403,
  not_found: 404,
  unexpected: 500,
} as const satisfies Record<RefusalReason, number>;

/** A refused admin operation: what the admin reads, and a hint that a program can branch on (specification 7). */
export class AdminRefusal {
  readonly message: string;
  readonly hint: string | null;
  readonly reason: RefusalReason;

  constructor(message: string, hint: string | null = null, reason: RefusalReason = "invalid") {
    this.message = message;
    this.hint = hint;
    this.reason = reason;
  }
}

export const deny = (message: string, hint?: string) => new AdminRefusal(message, hint);

export const notFound = (message: string, hint: string | null = null) =>
  new AdminRefusal(message, hint, "not_found");

export const notAllowed = (message: string) => new AdminRefusal(message, null, "not_allowed");

/** `action` completes the sentence, e.g. `create API tokens`. */
export const adminsOnly = (action: string) => notAllowed(`Only organization admins can ${action}`);

export const apiAccessIsPaid = () =>
  new AdminRefusal("API access is a paid feature", "upgrade_required:api_access", "plan");

/** No record of this kind in the workspace, whatever it may be in another one. */
export const noSuch = (kind: string, id: string) => notFound(`There is no ${kind} ${id} in this workspace`);

/** The refusal of an update that names no field. */
export const nothingToChange = (changes: object): AdminRefusal | undefined =>
  Object.values(changes).every((value) => value === undefined)
    ? deny("Nothing to change: give at least one field besides id")
    : undefined;

/** A refusal that the database raised, in the words of an admin operation. */
export function refusedByApi(refusal: Refusal): AdminRefusal {
  const { error, code } = refusal.body();
  return new AdminRefusal(String(error), null, code === "upgrade_required" ? "plan" : "invalid");
}
