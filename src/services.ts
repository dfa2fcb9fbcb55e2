import type { AdminServices } from "./admin/operation.ts";
import { withoutTrailingSlashes } from "./contract/characters.ts";
import type { ScheduledServices } from "./cron/scheduled.ts";
import { enqueueDue } from "./domain/webhooks/enqueue-due.ts";
import type { EnqueueServices, SendingServices } from "./domain/webhooks/webhook-services.ts";
import type { Services } from "./http/services.ts";
import type { PageServices } from "./pages/page-services.ts";
import type { Mailer } from "./platform/mail.ts";
import { dnsOverHttps } from "./platform/resolver.ts";
import type { ProcessorServices } from "./processor/receive-stripe-event.ts";
import { secretsOf } from "./processor/verify-event.ts";
import type { RpcServices } from "./rpc/rpc-services.ts";

/**
 * An object stays where its first request put it. The hint puts it beside the database, wherever that request came
 * from.
 */
const coordinatorsOf = (env: Env): Services["coordinators"] => {
  const { ORGANIZATION_COORDINATOR: coordinators, DATA_REGION } = env;
  // The cast: the platform refuses a region that it does not know, with the first request.
  const locationHint = DATA_REGION as DurableObjectLocationHint;
  return DATA_REGION === ""
    ? coordinators
    : { getByName: (name) => coordinators.getByName(name, { locationHint }) };
};

/** What mails are sent with. */
const mailerOf = (env: Env): Mailer => ({
  email: env.EMAIL,
  mailFrom: env.MAIL_FROM,
  applicationUrl: withoutTrailingSlashes(env.APPLICATION_URL),
});

/** The services of this Worker, made from its bindings. */
export const servicesOf = (env: Env): Services => ({
  ...mailerOf(env),
  db: env.DB,
  images: env.IMAGES,
  cursorKey: env.CURSOR_KEY,
  signOffKeys: env.SIGN_OFF_KEYS,
  coordinators: coordinatorsOf(env),
  unknownSenders: env.UNKNOWN_SENDERS,
  sendRecords: env.SEND_RECORDS,
  rememberSent: (organizationId, mail) => coordinatorsOf(env).getByName(organizationId).rememberSent(mail),
  enqueueDueDeliveries: async (organizationId) => {
    await enqueueDue(enqueueServicesOf(env), organizationId);
  },
});

export const pageServicesOf = (env: Env): PageServices => ({
  ...servicesOf(env),
  ...adminServicesOf(env),
  codeKey: env.CURSOR_KEY,
  // Counted where the request arrives. Limits that must hold everywhere are counted in the database.
  mayReadForm: async (visitor) => (await env.REVIEW_FORMS.limit({ key: visitor })).success,
});

const enqueueServicesOf = (env: Env): EnqueueServices => ({
  db: env.DB,
  queues: {
    fast: env.WEBHOOK_DELIVERIES,
    slow: env.WEBHOOK_DELIVERIES_SLOW,
    failing: env.WEBHOOK_DELIVERIES_FAILING,
  },
});

/** fetch must be called as a function of its own. */
const fetchOut: typeof fetch = (input, init) => fetch(input, init);

/** Where webhooks may go: public addresses, and loopback in local development. */
const targetOptionsOf = (env: Env) => ({
  allowLocal: env.ALLOW_LOCAL_WEBHOOK_TARGETS === "true",
  resolve: dnsOverHttps(fetchOut, env.DNS_OVER_HTTPS_URL),
});

export const adminServicesOf = (env: Env): AdminServices => ({
  ...servicesOf(env),
  lastUses: (organizationId) => coordinatorsOf(env).getByName(organizationId).lastUses(),
  eraseCoordinator: (organizationId) => coordinatorsOf(env).getByName(organizationId).erase(),
  webhooks: { target: targetOptionsOf(env), secretKey: env.WEBHOOK_SECRET_KEY },
});

export const rpcServicesOf = (env: Env): RpcServices => ({
  ...adminServicesOf(env),
  unknownSenders: env.UNKNOWN_SENDERS,
  assets: env.DOCS,
  browserOrigins: env.BROWSER_ORIGINS,
});

export const processorServicesOf = (env: Env): ProcessorServices => ({
  db: env.DB,
  secrets: secretsOf(env.STRIPE_WEBHOOK_SECRET),
  enqueueDueDeliveries: servicesOf(env).enqueueDueDeliveries,
});

export const sendingServicesOf = (env: Env): SendingServices => ({
  ...enqueueServicesOf(env),
  fetch: fetchOut,
  target: targetOptionsOf(env),
  secretKey: env.WEBHOOK_SECRET_KEY,
  random: Math.random,
});

export const scheduledServicesOf = (env: Env): ScheduledServices => ({
  ...enqueueServicesOf(env),
  ...mailerOf(env),
  operatorEmail: env.OPERATOR_EMAIL,
});
