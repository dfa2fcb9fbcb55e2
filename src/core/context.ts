import type { Organization } from "../workspace/organizations/record.ts";
import type { Actor } from "./actor.ts";
import type { RequestIdentity } from "./ledger/ledger.ts";
import type { Services } from "./services.ts";

/**
 * What a verb works with: what it may use, the workspace, and who acts. The door makes it once and holds all of it; a
 * verb names what it takes, as `Context<Staff, "db" | "images">`, and what it knows of the workspace beside its id.
 */
export interface Context<
  A extends Actor = Actor,
  S extends keyof Services = keyof Services,
  O extends keyof Organization = "id",
> {
  services: Pick<Services, S>;
  organization: Pick<Organization, "id" | O>;
  actor: A;
  /** The request as the ledger knows it; undefined: a call without a form, of which the ledger keeps no entry. */
  request: RequestIdentity | undefined;
}
