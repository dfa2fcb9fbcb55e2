import type { Refusal } from "./failures.ts";

/** A refused admin operation: what the admin reads, and a hint that a program can branch on (specification 7). */
export class AdminRefusal {
  readonly message: string;
  readonly hint: string | null;

  constructor(message: string, hint: string | null = null) {
    this.message = message;
    this.hint = hint;
  }
}

export const deny = (message: string, hint?: string) => new AdminRefusal(message, hint);

/** `action`: what they would have done, e.g. `create API tokens`. */
export const adminsOnly = (action: string) => deny(`Only organization admins can ${action}`);

export const apiAccessIsPaid = () => deny("API access is a paid feature", "upgrade_required:api_access");

/** No record of this kind in the workspace, whatever it may be in another one. */
export const noSuch = (kind: string, id: string) => deny(`There is no ${kind} ${id} in this workspace`);

/** The refusal of an update that names no field. */
export const nothingToChange = (changes: object): AdminRefusal | undefined =>
  Object.values(changes).every((value) => value === undefined)
    ? deny("Nothing to change: give at least one field besides id")
    : undefined;

/** A refusal of the partner API, in the words of an admin operation. */
export const refusedByApi = (refusal: Refusal): AdminRefusal => deny(String(refusal.body().error));
