import { getPath } from "hono/utils/url";
import { metadataPath, tokenPath } from "./contract/connect-paths.ts";
import { stripePath } from "./contract/processor-path.ts";
import { scheduled } from "./cron/scheduled.ts";
import { partnerApp, whileOpen } from "./http/app.ts";
import { answerSafely } from "./http/every-answer.ts";
import { envFor, isFromFront } from "./http/from-front.ts";
import { refuseWhileClosed } from "./http/refuse-while-closed.ts";
import { adminEntrypoint } from "./operations/admin.ts";
import { rpc } from "./operations/rpc/rpc.ts";
import { pagesForBrowsers } from "./pages/message-page.tsx";
import { isPage, pages } from "./pages/pages.tsx";
import { logLine } from "./platform/log.ts";
import { secretsOf } from "./platform/secret.ts";
import { serviceStateOf } from "./platform/service-state.ts";
import { frontRequestOf, receiveStripeEvent } from "./processor/receive-stripe-event.ts";
import { consumeEmailEvents } from "./queues/email-events.ts";
import { consumeSendRecords } from "./queues/send-records.ts";
import { consumeWebhookDeliveries } from "./queues/webhook-deliveries.ts";
import { exchange, unavailable } from "./routes/oauth/exchange-code.ts";
import { issuerOf, metadataOf } from "./routes/oauth/metadata.ts";
import { routes } from "./routes/routes.ts";
import { servicesOf } from "./services.ts";

export { OrganizationCoordinator } from "./durable/organization-coordinator.ts";
export { ReceiverPace } from "./durable/receiver-pace.ts";

/** The admin operations over RPC, reachable only through a service binding (docs/admin-commands.md). */
export class Admin extends adminEntrypoint(servicesOf) {}

const api = partnerApp(routes, servicesOf, pagesForBrowsers);
api.post(stripePath, whileOpen, (c) =>
  receiveStripeEvent(c.req.raw, servicesOf(c.env), {
    waitUntil: (work) => c.executionCtx.waitUntil(work),
    fromFront: frontRequestOf(c.req.raw, isFromFront(c.req.raw, c.env)),
  }),
);
api.post(
  tokenPath,
  refuseWhileClosed((_, refusal) => unavailable(refusal)),
  (c) =>
    exchange(c.req.raw, servicesOf(c.env), {
      apikey: secretsOf(c.env.GATEWAY_PUBLIC_KEY)[0] ?? "",
      waitUntil: (work) => c.executionCtx.waitUntil(work),
    }),
);
api.get(metadataPath, (c) => c.json(metadataOf(issuerOf(c.env.APPLICATION_URL))));
const site = pages(servicesOf);
const operations = rpc(servicesOf);

/** The retry delay for messages while the service is not open. A send record's 100 attempts then last a day. */
const closedQueueSeconds = 900;

const appOf = (path: string) => {
  if (isPage(path)) return site;
  return /^\/rpc(?:\/|$)/.test(path) ? operations : api;
};

export default {
  fetch: (request, env, execution) =>
    answerSafely(request, env, () => appOf(getPath(request)).fetch(request, envFor(request, env), execution)),
  async queue(messages, env, execution) {
    if (serviceStateOf(env) !== "open") return messages.retryAll({ delaySeconds: closedQueueSeconds });
    if (messages.queue.startsWith("send-records")) return consumeSendRecords(messages, servicesOf(env));
    if (messages.queue.startsWith("email-events")) return consumeEmailEvents(messages, servicesOf(env));
    return consumeWebhookDeliveries(messages, servicesOf(env), execution);
  },
  async scheduled(_controller, env) {
    const service_state = serviceStateOf(env);
    return service_state === "open" ? scheduled(servicesOf(env)) : logLine({ cron: "waits", service_state });
  },
} satisfies ExportedHandler<Env>;
