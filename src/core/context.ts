import type { Organization } from "../workspace/organizations/record.ts";
import type { Actor } from "./actor.ts";
import type { RequestIdentity } from "./ledger/ledger.ts";
import type { Services } from "./services.ts";

/**
 * What a verb works with: its services, the workspace, and who acts. The entry point builds all of it once; a verb
 * declares what it needs, as `Context<Staff, "db" | "images">`, and which facts of the workspace beside its id.
 */
export interface Context<
  A extends Actor = Actor,
  S extends keyof Services = keyof Services,
  O extends keyof Organization = "id",
> {
  services: Pick<Services, S>;
  organization: Pick<Organization, "id" | O>;
  actor: A;
  /** The request as the ledger knows it; undefined: a call without a form, which gets no ledger entry. */
  request: RequestIdentity | undefined;
}
