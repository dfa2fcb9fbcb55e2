import type { Organization } from "../workspace/organizations/record.ts";
import type { Actor } from "./actor.ts";
import type { RequestIdentity } from "./ledger/ledger.ts";
import type { Services } from "./services.ts";

/**
 * The services, workspace and actor for an operation, built once by the entry point. An operation declares the services
 * it needs, and any columns of the workspace besides its id: `Context<Staff, "db" | "images", "slug">`.
 */
export interface Context<
  A extends Actor = Actor,
  S extends keyof Services = keyof Services,
  O extends keyof Organization = "id",
> {
  services: Pick<Services, S>;
  organization: Pick<Organization, "id" | O>;
  actor: A;
  /** Identifies the request in the ledger. Undefined if the request gets no ledger entry. */
  request: RequestIdentity | undefined;
}
