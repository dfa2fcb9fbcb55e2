import { adminEntrypoint } from "./admin/admin.ts";
import { everyMinute } from "./cron/minute.ts";
import { partnerApi } from "./http/app.ts";
import { routes } from "./routes/routes.ts";
import { servicesOf } from "./services.ts";

export { OrganizationGate } from "./durable/organization-gate.ts";

/** The door for admins, which a service binding alone reaches (docs/operations.md). */
export class Admin extends adminEntrypoint(servicesOf) {}

const api = partnerApi(routes, servicesOf);

export default {
  fetch: (request, env, execution) => api.fetch(request, env, execution),
  scheduled: (_controller, env) => everyMinute(servicesOf(env)),
} satisfies ExportedHandler<Env>;
