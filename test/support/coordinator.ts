import { env } from "cloudflare:workers";
import type { LoggedRequest } from "../../src/contract/request-log.ts";

export const coordinatorStub = ({ organizationId }: { organizationId: string }) =>
  env.ORGANIZATION_COORDINATOR.getByName(organizationId);

/** A logged read, as an isolate reports it to the coordinator. */
export const loggedRequest = (changes: Partial<LoggedRequest> = {}): LoggedRequest => ({
  request_id: crypto.randomUUID(),
  at: new Date().toISOString(),
  token_id: "token",
  method: "GET",
  route: "/api-v1/clients",
  status: 200,
  code: null,
  error: null,
  duration_ms: 1,
  replay: false,
  subject_id: null,
  events: [],
  ...changes,
});
