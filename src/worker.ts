import { getPath } from "hono/utils/url";
import { scheduled } from "./cron/scheduled.ts";
import { partnerApp } from "./http/app.ts";
import { answerSafely } from "./http/every-answer.ts";
import { adminEntrypoint } from "./operations/admin.ts";
import { rpc } from "./operations/rpc/rpc.ts";
import { isPage, pages } from "./pages/pages.tsx";
import { receiveStripeEvent, stripePath } from "./processor/receive-stripe-event.ts";
import { consumeSendRecords } from "./queues/send-records.ts";
import { consumeWebhookDeliveries } from "./queues/webhook-deliveries.ts";
import { routes } from "./routes/routes.ts";
import { servicesOf } from "./services.ts";

export { OrganizationCoordinator } from "./durable/organization-coordinator.ts";

/** The operations of admins over RPC, which a service binding alone reaches (docs/operations.md). */
export class Admin extends adminEntrypoint(servicesOf) {}

const api = partnerApp(routes, servicesOf);
api.post(stripePath, (c) =>
  receiveStripeEvent(c.req.raw, servicesOf(c.env), (work) => c.executionCtx.waitUntil(work)),
);
const site = pages(servicesOf);
const operations = rpc(servicesOf);

const appOf = (path: string) => {
  if (isPage(path)) return site;
  return /^\/rpc(?:\/|$)/.test(path) ? operations : api;
};

export default {
  fetch: (request, env, execution) =>
    answerSafely(request, env, () => appOf(getPath(request)).fetch(request, env, execution)),
  queue: (messages, env, execution) =>
    messages.queue.startsWith("send-records")
      ? consumeSendRecords(messages, servicesOf(env))
      : consumeWebhookDeliveries(messages, servicesOf(env), execution),
  scheduled: (_controller, env) => scheduled(servicesOf(env)),
} satisfies ExportedHandler<Env>;
