import { partnerApi } from "./http/app.ts";
import { routes } from "./routes/routes.ts";
import { servicesOf } from "./services.ts";

export { OrganizationGate } from "./durable/organization-gate.ts";

const api = partnerApi(routes, servicesOf);

export default {
  fetch: (request, env, execution) => api.fetch(request, env, execution),
} satisfies ExportedHandler<Env>;
