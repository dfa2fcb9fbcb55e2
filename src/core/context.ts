import type { Organization } from "../workspace/organizations/record.ts";
import type { Actor } from "./actor.ts";
import type { RequestIdentity } from "./ledger/ledger.ts";
import type { Services } from "./services.ts";

/**
 * What a verb works with: its services, the workspace and the actor. The entry point builds it once. A verb
 * declares what it needs, as `Context<Staff, "db" | "images">`, and which columns of the workspace besides its
 * id.
 */
export interface Context<
  A extends Actor = Actor,
  S extends keyof Services = keyof Services,
  O extends keyof Organization = "id",
> {
  services: Pick<Services, S>;
  organization: Pick<Organization, "id" | O>;
  actor: A;
  /** The request as the ledger identifies it; undefined for a call without a form, which gets no ledger entry. */
  request: RequestIdentity | undefined;
}
