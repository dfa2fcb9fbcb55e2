import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { makeFilledWorkspace, rowById, sql } from "../support/filled-workspace.ts";
import { restoreDatabase, setTripOutcomes } from "../support/outages.ts";
import { postProcessorEvent } from "../support/processor.ts";
import {
  chargeRefunded,
  disputed,
  intentSucceeded,
  type StripeEvent,
  stripeIdOf,
} from "../support/stripe.ts";

let logged: string[];
beforeEach(() => {
  logged = [];
  vi.spyOn(console, "error").mockImplementation((...words) => void logged.push(words.join(" ")));
});

/** A paid invoice's events, and the result they must produce in any order. */
async function story() {
  const here = await makeFilledWorkspace();
  const invoice = await here.openInvoice(10_000);
  const paid = { intent: stripeIdOf("pi"), amount: 10_000, metadata: { invoice_id: invoice } };
  const events = [
    intentSucceeded(paid),
    chargeRefunded(paid, 2_500),
    disputed({ ...paid, amount: 500 }, "created", "needs_response"),
  ];
  const end = async () => ({
    invoice: await rowById("invoices", invoice),
    payments: await sql("SELECT amount_minor FROM payments WHERE invoice_id = ?", invoice),
    reversals: await sql(
      "SELECT kind, amount_minor FROM payment_reversals WHERE invoice_id = ? ORDER BY rowid",
      invoice,
    ),
    events: (await here.events()).map(({ event }) => event),
  });
  const expectDone = async () =>
    expect(await end()).toMatchObject({
      invoice: { status: "partially_paid", amount_paid_minor: 7_000 },
      payments: [{ amount_minor: 10_000 }],
      reversals: [
        { kind: "refund", amount_minor: 2_500 },
        { kind: "dispute", amount_minor: 500 },
      ],
      events: ["invoice.sent", "invoice.paid", "invoice.refunded", "invoice.disputed"],
    });
  return { here, events, expectDone };
}

const inbox = async ({ id }: StripeEvent) =>
  (await sql("SELECT outcome FROM processor_events WHERE id = ?", id)).map(({ outcome }) => outcome);

const unexpected = { error: "Unexpected error" };

describe("a Stripe event whose transaction fails", () => {
  it("returns 500 and stores nothing if the failure is before the commit", async () => {
    const { events, expectDone } = await story();
    for (const event of events) {
      setTripOutcomes(() => "lost");
      const failed = await postProcessorEvent(event);
      expect([failed.status, await failed.json()]).toEqual([500, unexpected]);
      restoreDatabase();
      expect(await inbox(event)).toEqual([]);
      expect((await postProcessorEvent(event)).status).toBe(200);
    }
    await expectDone();
  });

  it("returns 500 if the failure is after the commit, and the retry changes nothing", async () => {
    const { events, expectDone } = await story();
    for (const event of events) {
      setTripOutcomes(() => "answer lost");
      expect((await postProcessorEvent(event)).status).toBe(500);
      restoreDatabase();
      expect(await inbox(event)).toHaveLength(1);
      expect((await postProcessorEvent(event)).status).toBe(200);
    }
    await expectDone();
  });

  it("stores nothing, whichever statement fails, and the retry does all the work [Y3]", async () => {
    const { events, expectDone } = await story();
    const batch = env.DB.batch.bind(env.DB);
    for (const event of events) {
      let statements = 1;
      for (let broken = 0; broken <= statements; broken += 1) {
        vi.spyOn(env.DB, "batch").mockImplementation((async (all: D1PreparedStatement[]) => {
          statements = all.length;
          return batch([
            ...all.slice(0, broken),
            env.DB.prepare("SELECT json('broken')"),
            ...all.slice(broken),
          ]);
        }) as never);
        expect((await postProcessorEvent(event)).status, `broken at ${broken}`).toBe(500);
        vi.mocked(env.DB.batch).mockRestore();
        expect(await inbox(event)).toEqual([]);
      }
      expect(statements).toBeGreaterThan(2);
      expect((await postProcessorEvent(event)).status).toBe(200);
    }
    await expectDone();
  });

  it("is logged without Stripe's ids [Y8]", async () => {
    const { events } = await story();
    for (const event of events) {
      setTripOutcomes(() => "lost");
      await postProcessorEvent(event);
      restoreDatabase();
    }
    expect(logged.join()).toContain("D1 DB is overloaded");
    expect(logged.join()).not.toMatch(/\b(pi|ch|cs|evt|du|whsec)_/);
  });
});

it("ten concurrent deliveries of one event record one payment", async () => {
  const { events, expectDone } = await story();
  for (const event of events) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => postProcessorEvent(event)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  }
  await expectDone();
});

it("an event is accepted even if the queue fails, and the waiting deliveries are logged", async () => {
  const { here, events, expectDone } = await story();
  await here.endpoint();
  vi.spyOn(env.WEBHOOK_DELIVERIES, "sendBatch").mockRejectedValue(new Error("queue is down"));
  for (const event of events) expect((await postProcessorEvent(event)).status).toBe(200);
  await expectDone();
  await vi.waitFor(() =>
    expect(logged.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ failed: "enqueue", organization_id: here.organizationId }),
    ),
  );
});
