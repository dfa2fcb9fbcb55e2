import { encrypt } from "../../src/platform/encryption.ts";
import { newSigningSecret } from "../../src/webhooks/sending/sign.ts";
import type { BaselineMessage } from "../baselines/webhook.ts";
import type { Bench, Scenario } from "../bench.ts";
import type { HandOver } from "../hand-over.ts";
import { spread } from "../load.ts";
import { type BenchReceiver, receive } from "../receiver.ts";
import { atLeast, type Line, type Promised } from "../report.ts";
import { compete, type Measured } from "../rounds.ts";
import { bindings, workspace } from "../seed.ts";

/**
 * Compares deliveries per second of the product's consumer, which records everything, with one that only signs and
 * posts. The promise is for a receiver that responds within 1 ms, which is faster than any on the internet. A receiver
 * that responds immediately shows the cost of recording while SQLite shares the consumer's core, which never happens
 * with D1.
 */

export const batchMessages = 100;
const rounds = 7;
const receivers = [
  { name: "answer in 1 ms", answerMs: 1, seconds: 1, deliveriesAtHand: 6_000, promised: true },
  { name: "answer at once", answerMs: 0, seconds: 1, deliveriesAtHand: 12_000, promised: false },
] as const;
const endpointId = "00000000-0000-4000-8000-000000000006";

export const webhooks: Scenario = async (bench) => {
  const receiver = await receive();
  try {
    const secret = newSigningSecret();
    await putEndpoint(bench, receiver, endpointId, secret);
    const leased = await leaseDeliveries(bench, batchMessages);
    const used = await bench.database.used(() => handOverBatch(bench, "app", leased));
    const recorded = {
      trips: `${used.trips} D1 a batch`,
      rowsRead: used.rows_read / batchMessages,
      rowsWritten: used.rows_written / batchMessages,
    };
    const baselineMessage = (): BaselineMessage => ({
      id: crypto.randomUUID(),
      url: receiver.url,
      event: "invoice.paid",
      payload,
      secret,
    });

    const lines: Line[] = [];
    const promises: Promised[] = [];
    for (const { name, answerMs, seconds, deliveriesAtHand, promised } of receivers) {
      receiver.answerMs = answerMs;
      const contenders = [
        {
          name: "app",
          async measure(forSeconds: number) {
            const leased = await leaseDeliveries(bench, deliveriesAtHand);
            const receivedBefore = receiver.received;
            const measured = await deliver(bench, "app", leased, receiver, forSeconds);
            await checkRecorded(bench, receiver.received - receivedBefore);
            return measured;
          },
        },
        {
          name: "baseline-webhook",
          measure: (forSeconds: number) =>
            deliver(
              bench,
              "baseline-webhook",
              Array.from({ length: deliveriesAtHand }, baselineMessage),
              receiver,
              forSeconds,
            ),
        },
      ];
      const standings = await compete(contenders, {
        rounds,
        seconds,
        progress: (text) => bench.progress(`webhooks, ${name}: ${text}`),
      });
      for (const { name: contender, cpuMsEach, ...standing } of standings) {
        const trips = contender === "app" ? recorded : { trips: "none" };
        lines.push({ scenario: `webhooks, ${name}`, contender, cpuMs: cpuMsEach, ...standing, ...trips });
      }
      const ratio = standings[0]?.ratio ?? 0;
      if (promised) promises.push(atLeast(`webhooks, ${name}: deliveries/s of the baseline's`, ratio, 0.68));
    }
    return { lines, promises };
  } finally {
    receiver.close();
  }
};

export async function putEndpoint(
  { database }: Bench,
  { url }: BenchReceiver,
  id: string,
  secret = newSigningSecret(),
): Promise<void> {
  await database.run("UPDATE webhook_endpoints SET deleted_at = created_at WHERE deleted_at IS NULL");
  await database.run(
    "INSERT INTO webhook_endpoints (id, organization_id, url, secret_encrypted, created_by) VALUES (?, ?, ?, ?, ?)",
    id,
    workspace.organizationId,
    url,
    await encrypt(bindings.webhookSecretKey, id, secret),
    workspace.ownerId,
  );
}

export const payload = JSON.stringify({
  event: "invoice.paid",
  created_at: "2026-01-31T09:30:00.000Z",
  data: {
    invoice_id: "00000000-0000-4000-8000-000000000007",
    number: "INV-0001",
    status: "paid",
    previous_status: "open",
    currency: "USD",
    total: 1250.5,
    amount_paid: 1250.5,
    amount_due: 0,
    client_id: workspace.clientId,
    client_name: "Client",
    project_id: workspace.projectId,
    project_name: "Project",
  },
});

/** Inserts events and leases the deliveries that a trigger creates for them, for an hour. */
export async function leaseDeliveries(
  { database }: Bench,
  count: number,
): Promise<{ id: string; lease: string }[]> {
  await database.run("DELETE FROM webhook_attempts");
  await database.run("DELETE FROM webhook_deliveries");
  await database.run("DELETE FROM events");
  await database.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO events (organization_id, event, category, subject_id, payload)
     SELECT ?, 'invoice.paid', 'money', ?, ? FROM n`,
    count,
    workspace.organizationId,
    workspace.clientId,
    payload,
  );
  const { results } = await database.run(
    `UPDATE webhook_deliveries SET next_attempt_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+1 hour')
       RETURNING id, next_attempt_at AS lease`,
  );
  return results as { id: string; lease: string }[];
}

/** Throws unless every received delivery is recorded as delivered and has a log entry. */
async function checkRecorded({ database }: Bench, received: number): Promise<void> {
  const { results } = await database.run(
    `SELECT (SELECT count(*) FROM webhook_deliveries WHERE status = 'delivered') AS delivered,
       (SELECT count(*) FROM webhook_attempts WHERE response_status = 200) AS logged`,
  );
  const recorded = results[0];
  if (recorded?.delivered !== received || recorded?.logged !== received) {
    throw new Error(`${received} received, recorded: ${JSON.stringify(recorded)}`);
  }
}

export async function handOverBatch(
  { server }: Bench,
  consumer: HandOver["consumer"],
  bodies: unknown[],
): Promise<void> {
  const answer = await fetch(server.addressOf("hand-over"), {
    method: "POST",
    body: JSON.stringify({ consumer, bodies } satisfies HandOver),
  });
  const text = await answer.text();
  if (!answer.ok || !text.includes('"outcome":"ok"')) throw new Error(`${consumer}: ${text}`);
}

/** Passes batches to the consumer for `seconds`, and checks that every message reached the receiver. */
async function deliver(
  bench: Bench,
  consumer: HandOver["consumer"],
  messages: unknown[],
  receiver: BenchReceiver,
  seconds: number,
): Promise<Measured> {
  const batchesMs: number[] = [];
  const [receivedBefore, cpuBefore, startedMs] = [
    receiver.received,
    await bench.server.cpuMs(),
    performance.now(),
  ];
  let done = 0;
  while (done < messages.length && performance.now() - startedMs < seconds * 1000) {
    const batchStartedMs = performance.now();
    await handOverBatch(bench, consumer, messages.slice(done, done + batchMessages));
    batchesMs.push(performance.now() - batchStartedMs);
    done += batchMessages;
  }
  const tookMs = performance.now() - startedMs;
  const cpuMs = (await bench.server.cpuMs()) - cpuBefore;
  const received = receiver.received - receivedBefore;
  if (received !== done) throw new Error(`${consumer}: ${done} handed over, ${received} received`);
  return { perSecond: (done * 1000) / tookMs, ...spread(batchesMs), cpuMsEach: cpuMs / done };
}
