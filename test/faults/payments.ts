/**
 * Part of `npm run test:faults`: Stripe events arrive in random order while the service is killed with SIGKILL and
 * restarted on the same state. Like Stripe, the sender retries each event until it gets a 200, and sometimes sends it
 * again. In the end, every payment and refund must be recorded once, and each invoice must match them.
 */

import { setTimeout as pause } from "node:timers/promises";
import { localStripeSecret } from "../../scripts/local/gateway-key.ts";
import {
  chargeRefunded,
  intentSucceeded,
  type StripeEvent,
  signature,
  stripeIdOf,
} from "../support/stripe.ts";
import { migrateDatabase } from "./migrate.ts";
import { between, startTemporaryService } from "./service.ts";
import { prepareWorkspace } from "./workspace.ts";

const kills = Number(process.env.KILLS ?? 25);
const invoices = 250;
const events = invoices * 2;
const senders = 8;
const refunded = 2_500;
/** How long the service runs under load before each kill. */
const lifeMs = { least: 100, most: 1_000 };
/** The share of acknowledged events that are sent again. */
const againShare = 0.3;

await using service = await startTemporaryService();
let requests = 0;
let interrupted = 0;

process.exitCode = (await run()) ? 0 : 1;

async function run(): Promise<boolean> {
  await migrateDatabase(service);
  const { organizationId, drafts } = await prepareWorkspace(service, { drafts: invoices, deliverables: 0 });
  await service.sql("UPDATE invoices SET status = 'open' WHERE organization_id = ?", organizationId);
  const queue = drafts
    .flatMap((invoice_id) => {
      const paid = { intent: stripeIdOf("pi"), amount: 10_000, metadata: { invoice_id } };
      return [intentSucceeded(paid), chargeRefunded(paid, refunded)];
    })
    .map((event) => ({ event, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ event }) => event);

  const sending = Promise.all(Array.from({ length: senders }, () => sendAll(queue)));
  let killed = 0;
  while (killed < kills && queue.length > 0) {
    await pause(between(lifeMs));
    await service.kill();
    await service.restart();
    killed += 1;
    console.log(`kill ${killed} of ${kills}: ${queue.length} of ${events} events wait`);
  }
  await sending;
  return report(organizationId, killed);
}

async function sendAll(queue: StripeEvent[]): Promise<void> {
  for (let event = queue.shift(); event !== undefined; event = queue.shift()) {
    while (!(await isReceived(event))) await pause(100);
    if (Math.random() < againShare) await isReceived(event);
  }
}

/** Whether the event got a 200. If not, the caller retries it like Stripe, but without waiting for hours. */
async function isReceived(event: StripeEvent): Promise<boolean> {
  const payload = JSON.stringify(event);
  requests += 1;
  try {
    const answer = await service.deliver(payload, await signature(payload, localStripeSecret()));
    await answer.text();
    if (answer.status === 200) return true;
  } catch {
    // The service was killed during this request.
  }
  interrupted += 1;
  return false;
}

async function report(organizationId: string, killed: number): Promise<boolean> {
  const count = async (sql: string) =>
    (await service.sql<{ count: number }>(sql, organizationId))[0]?.count ?? Number.NaN;
  const found = {
    "events kept": await count(
      "SELECT count(*) AS count FROM processor_events WHERE organization_id = ? AND outcome IN ('payment', 'reversal')",
    ),
    payments: await count("SELECT count(*) AS count FROM payments WHERE organization_id = ?"),
    refunds: await count("SELECT count(*) AS count FROM payment_reversals WHERE organization_id = ?"),
    "invoices as they must be": await count(
      `SELECT count(*) AS count FROM invoices WHERE organization_id = ? AND status = 'partially_paid'
        AND amount_paid_minor = 7500`,
    ),
    "invoice.paid": await count(
      "SELECT count(*) AS count FROM events WHERE organization_id = ? AND event = 'invoice.paid'",
    ),
    "invoice.refunded": await count(
      "SELECT count(*) AS count FROM events WHERE organization_id = ? AND event = 'invoice.refunded'",
    ),
  };
  console.table({ SIGKILLs: killed, requests, "answered with no 200": interrupted, ...found });
  const [kept, ...rest] = Object.values(found);
  const holds = kept === events && rest.every((number) => number === invoices);
  console.log(
    holds ? "No money was lost, none was doubled." : `Not every number is ${events} or ${invoices}.`,
  );
  return holds;
}
