import { adminEntrypoint } from "./admin/admin.ts";
import { everyMinute } from "./cron/minute.ts";
import { partnerApi } from "./http/app.ts";
import { consumeWebhookDeliveries } from "./queues/webhook-deliveries.ts";
import { routes } from "./routes/routes.ts";
import { adminServicesOf, minuteServicesOf, sendingServicesOf, servicesOf } from "./services.ts";

export { OrganizationGate } from "./durable/organization-gate.ts";

/** The door for admins, which a service binding alone reaches (docs/operations.md). */
export class Admin extends adminEntrypoint(adminServicesOf) {}

const api = partnerApi(routes, servicesOf);

export default {
  fetch: (request, env, execution) => api.fetch(request, env, execution),
  queue: (messages, env, execution) => consumeWebhookDeliveries(messages, sendingServicesOf(env), execution),
  scheduled: (_controller, env) => everyMinute(minuteServicesOf(env)),
} satisfies ExportedHandler<Env>;
