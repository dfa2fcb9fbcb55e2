import { env } from "cloudflare:workers";

export const coordinatorStub = ({ organizationId }: { organizationId: string }) =>
  env.ORGANIZATION_COORDINATOR.getByName(organizationId);
