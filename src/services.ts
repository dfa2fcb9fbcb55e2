import { withoutTrailingSlashes } from "./contract/characters.ts";
import { thumbnailsIn } from "./core/images/thumbnail.ts";
import { limitToQuota } from "./core/mails/mail-quota.ts";
import type { Services } from "./core/services.ts";
import { skipMigrationCheck } from "./db/query.ts";
import type { Mailer } from "./platform/mail.ts";
import { dnsOverHttps } from "./platform/resolver.ts";
import { secretsOf } from "./platform/secret.ts";
import { serviceStateOf } from "./platform/service-state.ts";
import { enqueueDueSafely } from "./webhooks/sending/enqueue-due.ts";

const known = new WeakMap<Env, Services>();

/** Builds the services from the Worker's bindings, once for each isolate. */
export function servicesOf(env: Env): Services {
  const services = known.get(env) ?? servicesFrom(env);
  known.set(env, services);
  return services;
}

function servicesFrom(env: Env): Services {
  const coordinators = coordinatorsOf(env);
  const db = env.DB;
  const serviceState = serviceStateOf(env);
  const queues = queuesOf(env);
  return {
    ...databasesOf(env),
    moving: null,
    images: env.IMAGES,
    assets: env.DOCS,
    ...mailerOf(env),
    coordinators,
    lastUses: (organizationId) => coordinators.getByName(organizationId).lastUses(),
    countDeliveries: (organizationId, deliveries) =>
      coordinators.getByName(organizationId).countDeliveries(deliveries),
    eraseCoordinator: (organizationId) => coordinators.getByName(organizationId).erase(),
    ...backupOptionsOf(env),
    sendRecords: env.SEND_RECORDS,
    deadSendRecords: env.DEAD_SEND_RECORDS,
    deadEmailEvents: env.DEAD_EMAIL_EVENTS,
    rememberSent: (organizationId, mail) => coordinators.getByName(organizationId).rememberSent(mail),
    hasSent: hasSentBy(coordinators),
    queues,
    grantPosts: (host, wanted) => env.RECEIVER_PACE.getByName(host).take(wanted),
    // While the service is not open, due deliveries wait in the database until the cron finds them.
    enqueueDueDeliveries: async (organizationId) =>
      serviceState === "open" ? enqueueDueSafely({ db, queues }, organizationId) : undefined,
    fetch: fetchOut,
    random: Math.random,
    webhookTargets: targetOptionsOf(env),
    webhookSecretKey: env.WEBHOOK_SECRET_KEY,
    cursorKeys: secretsOf(env.CURSOR_KEY),
    codeKey: env.CODE_KEY,
    signOffKeys: env.SIGN_OFF_KEYS,
    processorSecrets: secretsOf(env.STRIPE_WEBHOOK_SECRET),
    unknownSenders: env.UNKNOWN_SENDERS,
    ...visitorLimits(env),
    browserOrigins: env.BROWSER_ORIGINS,
    heartbeatUrl: env.HEARTBEAT_URL,
    serviceState,
    operatorEmail: env.OPERATOR_EMAIL,
  };
}

const mailerOf = (env: Env): Mailer => ({
  ...limitToQuota(env.DB, env.EMAIL, numberOf(env.MAIL_QUOTA)),
  // Despite its type, the binding may be missing. E-mails then have no pictures.
  versionPicture: env.IMAGE_TRANSFORMS ? thumbnailsIn(env.IMAGES, env.IMAGE_TRANSFORMS) : null,
  mailFrom: { name: env.SERVICE_NAME, email: env.MAIL_FROM },
  applicationUrl: withoutTrailingSlashes(env.APPLICATION_URL),
});
/**
 * Returns the Worker's databases. Cells share a directory, which has the accounts; a single cell keeps everything in
 * `DB`.
 */
function databasesOf(env: Env): Pick<Services, "db" | "cell" | "accounts" | "region"> {
  const { CELL: name, CELLS = "", DIRECTORY: directory, DB: db, DATA_REGION } = env;
  const region = DATA_REGION || null;
  if (name === undefined || directory === undefined) return { db, cell: null, accounts: db, region };
  const cell = { name, names: CELLS.split(","), directory: skipMigrationCheck(directory) };
  return { db, cell, accounts: directory, region };
}

/** Checks whether the e-mail was sent, without claiming its key or counting a request. */
const hasSentBy =
  (coordinators: Services["coordinators"]): Services["hasSent"] =>
  async (organizationId, mail) => {
    const request = { ...mail, holder: crypto.randomUUID(), isDry: true };
    const { claim } = await coordinators.getByName(organizationId).acquire(null, "", request);
    return claim.state === "sent";
  };

const queuesOf = (env: Env): Services["queues"] => ({
  fast: env.WEBHOOK_DELIVERIES,
  slow: env.WEBHOOK_DELIVERIES_SLOW,
  failing: env.WEBHOOK_DELIVERIES_FAILING,
});

const backupOptionsOf = (env: Env): Pick<Services, "backups" | "backupHour"> => ({
  backups: env.BACKUPS,
  backupHour: numberOf(env.BACKUP_HOUR),
});

/** Parses a number; null if the variable is empty. */
const numberOf = (variable: string): number | null => (variable === "" ? null : Number(variable));

/** Counted per location. Limits that must hold globally are counted in the database. */
const visitorLimits = (
  env: Env,
): Pick<Services, "mayReadForm" | "mayReadFormOf" | "mayReadReview" | "mayReadReviewOf"> => ({
  mayReadForm: (visitor) => isWithinLimit(env.REVIEW_FORMS, visitor),
  mayReadFormOf: (review) => isWithinLimit(env.REVIEW_FORMS_OF_ALL, review),
  mayReadReview: (visitor) => isWithinLimit(env.REVIEW_READS, visitor),
  mayReadReviewOf: (review) => isWithinLimit(env.REVIEW_READS_OF_ALL, review),
});

const isWithinLimit = async (limiter: RateLimit, key: string): Promise<boolean> =>
  (await limiter.limit({ key })).success;

/** A Durable Object stays where it was created. The hint places it near the database, not near the first caller. */
const coordinatorsOf = (env: Env): Services["coordinators"] => {
  const { ORGANIZATION_COORDINATOR: coordinators, DATA_REGION } = env;
  // The cast is safe: the platform rejects an unknown region on the first request.
  const locationHint = DATA_REGION as DurableObjectLocationHint;
  return DATA_REGION === ""
    ? coordinators
    : { getByName: (name) => coordinators.getByName(name, { locationHint }) };
};

/** If `fetch` is called as a method, it throws "Illegal invocation". */
const fetchOut: typeof fetch = (input, init) => fetch(input, init);

/** Returns where webhooks may be sent: public addresses, and loopback in local development. */
const targetOptionsOf = (env: Env) => ({
  allowLocal: env.ALLOW_LOCAL_WEBHOOK_TARGETS === "true",
  resolve: dnsOverHttps(fetchOut, env.DNS_OVER_HTTPS_URL),
});
