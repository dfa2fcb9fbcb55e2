import { createExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import worker from "../../src/worker.ts";
import {
  type FilledWorkspace,
  makeFilledWorkspace,
  rowById,
  sql,
  update,
} from "../support/filled-workspace.ts";
import { baseUrl } from "../support/partner.ts";
import { postProcessorEvent } from "../support/processor.ts";
import {
  chargeRefunded,
  disputed,
  intentSucceeded,
  sessionCompleted,
  signature,
  stripeEvent,
  stripeIdOf,
} from "../support/stripe.ts";

const paidFor = (invoice_id: string, amount = 10_000) => ({
  intent: stripeIdOf("pi"),
  amount,
  metadata: { invoice_id },
});

const outcome = async (id: string) =>
  rowById<{ outcome: string; unmatched_reason: string | null; organization_id: string | null }>(
    "processor_events",
    id,
  );

const named = async (here: FilledWorkspace) => (await here.events()).map(({ event }) => event);

describe("POST /processor/stripe", () => {
  it.each([
    [
      "another secret",
      async (body: string) => ({ "stripe-signature": await signature(body, "whsec_other") }),
    ],
    ["no signature", async () => ({})],
    [
      "a signature older than 5 minutes",
      async (body: string) => ({
        "stripe-signature": await signature(body, env.STRIPE_WEBHOOK_SECRET, Date.now() / 1000 - 302),
      }),
    ],
    [
      "a signature for another body",
      async (body: string) => ({
        "stripe-signature": await signature(`${body}\n`, env.STRIPE_WEBHOOK_SECRET),
      }),
    ],
  ])("returns 400 for %s, without a read or a write [Y2]", async (_, headersOf) => {
    const here = await makeFilledWorkspace();
    const invoice = await here.openInvoice(10_000);
    const event = intentSucceeded(paidFor(invoice));
    const body = JSON.stringify(event);
    const batch = vi.spyOn(env.DB, "batch");
    const answer = await exports.default.fetch(`${baseUrl}/processor/stripe`, {
      method: "POST",
      headers: await headersOf(body),
      body,
    });
    expect(answer.status).toBe(400);
    expect(Object.keys(await answer.json())).toEqual(["error"]);
    expect(batch).not.toHaveBeenCalled();
    expect(await sql("SELECT id FROM processor_events WHERE id = ?", event.id)).toEqual([]);
    expect((await rowById("invoices", invoice)).status).toBe("open");
  });

  it("needs no apikey and no token", async () => {
    const answer = await postProcessorEvent(stripeEvent("customer.created", { id: "cus_1" }), {
      headers: { origin: "https://evil.example" },
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ received: true });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])(
    "returns 405 with Allow: POST for %s",
    async (method) => {
      const answer = await exports.default.fetch(`${baseUrl}/processor/stripe`, { method });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
      if (method !== "HEAD") expect(await answer.json()).toEqual({ error: "Method not allowed" });
    },
  );

  it("returns 403 for plain HTTP, 400 for an invalid event and 413 for an oversized body", async () => {
    const plain = await exports.default.fetch("http://api.example.com/processor/stripe", { method: "POST" });
    expect(plain.status).toBe(403);
    for (const body of ["{}", "[]", "{not json", '{"id": "evt_1"}']) {
      expect((await postProcessorEvent(body)).status, body).toBe(400);
    }
    const statusOf = async (bytes: number) => (await postProcessorEvent(" ".repeat(bytes))).status;
    expect([await statusOf(1024 * 1024), await statusOf(1024 * 1024 + 1)]).toEqual([400, 413]);
  });

  it("returns 500 while no secret is set, so that Stripe retries", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const body = JSON.stringify(stripeEvent("customer.created", { id: "cus_1" }));
    const request = new Request<unknown, IncomingRequestCfProperties>(`${baseUrl}/processor/stripe`, {
      method: "POST",
      headers: { "stripe-signature": await signature(body, env.STRIPE_WEBHOOK_SECRET) },
      body,
    });
    const bindings = { ...env, STRIPE_WEBHOOK_SECRET: " , " };
    expect((await worker.fetch(request, bindings, createExecutionContext())).status).toBe(500);
    expect(logged.mock.calls.join()).toContain("STRIPE_WEBHOOK_SECRET is not set");
  });
});

describe("a payment", () => {
  it("is recorded once, even if a session and an intent report it repeatedly [Y4]", async () => {
    const here = await makeFilledWorkspace();
    const paid = paidFor(await here.openInvoice(10_000));
    const events = [
      intentSucceeded({ ...paid, metadata: {} }),
      sessionCompleted(paid),
      intentSucceeded(paid),
    ];
    for (const event of [...events, ...events]) expect((await postProcessorEvent(event)).status).toBe(200);
    expect(await rowById("invoices", paid.metadata.invoice_id)).toMatchObject({
      status: "paid",
      amount_paid_minor: 10_000,
      amount_due_minor: 0,
    });
    expect(await named(here)).toEqual(["invoice.sent", "invoice.paid"]);
    for (const { id } of events) {
      expect(await outcome(id)).toMatchObject({ outcome: "payment", organization_id: here.organizationId });
    }
  });

  it("fires invoice.paid with exactly the documented fields [W5, W7, Y8]", async () => {
    const here = await makeFilledWorkspace();
    const paid = paidFor(await here.openInvoice(10_000), 4_050);
    await postProcessorEvent(intentSucceeded(paid));
    await postProcessorEvent(chargeRefunded(paid, 1_050));
    await postProcessorEvent(disputed(paid, "created", "needs_response"));
    const events = await here.events();
    expect(events[1]?.data).toEqual({
      invoice_id: paid.metadata.invoice_id,
      number: "INV-0001",
      status: "partially_paid",
      currency: "USD",
      total: 100,
      amount_paid: 40.5,
      amount_due: 59.5,
      amount_received: 40.5,
      previous_status: "open",
      client_name: "Acme",
      project_name: "Relaunch",
      collected_via: "stripe",
    });
    expect(events).toHaveLength(4);
    expect(JSON.stringify(events)).not.toMatch(/\b(pi|ch|cs|evt|du|re)_/);
  });

  it("is recorded even if it is partial, exceeds the total or is for a paid or void invoice", async () => {
    const here = await makeFilledWorkspace();
    const [invoice, isVoid] = [await here.openInvoice(10_000), await here.openInvoice(10_000)];
    await update("invoices", isVoid, { status: "void" });
    for (const amount of [4_000, 7_000, 500])
      await postProcessorEvent(intentSucceeded(paidFor(invoice, amount)));
    await postProcessorEvent(intentSucceeded(paidFor(isVoid)));
    expect(await rowById("invoices", invoice)).toMatchObject({
      status: "paid",
      amount_paid_minor: 11_500,
      amount_due_minor: 0,
    });
    expect(await rowById("invoices", isVoid)).toMatchObject({
      status: "void",
      amount_paid_minor: 10_000,
      amount_due_minor: 0,
    });
  });

  it("is not recorded until its session is paid", async () => {
    const here = await makeFilledWorkspace();
    const paid = paidFor(await here.openInvoice(10_000));
    const early = sessionCompleted(paid, { paid: false });
    await postProcessorEvent(early);
    expect(await outcome(early.id)).toMatchObject({ outcome: "ignored" });
    expect((await rowById("invoices", paid.metadata.invoice_id)).status).toBe("open");
    await postProcessorEvent(sessionCompleted(paid, { later: true }));
    expect((await rowById("invoices", paid.metadata.invoice_id)).status).toBe("paid");
  });

  it.each([
    ["JPY", "jpy", 500, 500],
    ["KWD", "kwd", 5_120, 5_120],
    ["ISK", "isk", 50_000, 500],
    ["UGX", "ugx", 50_000, 500],
    ["MGA", "mga", 500, 50_000],
  ])("is converted from Stripe's units in %s [Y5]", async (code, currency, amount, minor) => {
    const here = await makeFilledWorkspace();
    const invoice = await here.openInvoice(minor, { currency: code });
    await postProcessorEvent(intentSucceeded({ ...paidFor(invoice, amount), currency }));
    expect(await rowById("invoices", invoice)).toMatchObject({ status: "paid", amount_paid_minor: minor });
  });

  it("does not pay an invoice if it has cleared a deposit", async () => {
    const here = await makeFilledWorkspace();
    const [deposit, invoice] = [await here.deposit({ amount_minor: 50_000 }), await here.openInvoice(50_000)];
    const paid = { intent: stripeIdOf("pi"), amount: 50_000 };
    await postProcessorEvent(intentSucceeded({ ...paid, metadata: { deposit_id: deposit } }));
    await postProcessorEvent(sessionCompleted({ ...paid, metadata: { invoice_id: invoice } }));
    const found = [await rowById("deposits", deposit), await rowById("invoices", invoice)];
    expect(found.map(({ status }) => status)).toEqual(["cleared", "open"]);
  });

  it.each(["an invoice", "another deposit"])(
    "that has been recorded on %s does not clear a deposit",
    async (first) => {
      const here = await makeFilledWorkspace();
      const paid = { intent: stripeIdOf("pi"), amount: 50_000 };
      const deposit = await here.deposit({ amount_minor: 60_000 });
      const metadata: Record<string, string> =
        first === "an invoice"
          ? { invoice_id: await here.openInvoice(50_000) }
          : { deposit_id: await here.deposit({ amount_minor: 50_000 }) };
      await postProcessorEvent(intentSucceeded({ ...paid, metadata }));
      const later = sessionCompleted({ ...paid, amount: 60_000, metadata: { deposit_id: deposit } });
      expect((await postProcessorEvent(later)).status).toBe(200);
      expect(await rowById("deposits", deposit)).toMatchObject({ status: "pending" });
    },
  );

  it("does not also clear a deposit if it names an invoice", async () => {
    const here = await makeFilledWorkspace();
    const deposit_id = await here.deposit({ amount_minor: 50_000 });
    for (const [invoice_id, unmatched_reason] of [
      [await here.draft(50_000), "invoice_is_draft"],
      [await here.openInvoice(50_000, { currency: "EUR" }), "currency_differs"],
    ] as const) {
      const paid = { intent: stripeIdOf("pi"), amount: 50_000 };
      const event = intentSucceeded({ ...paid, metadata: { invoice_id, deposit_id } });
      await postProcessorEvent(event);
      expect(await rowById("deposits", deposit_id)).toMatchObject({ status: "pending" });
      expect(await outcome(event.id)).toMatchObject({ outcome: "unmatched", unmatched_reason });
    }
  });

  it("clears a deposit only once", async () => {
    const here = await makeFilledWorkspace();
    const deposit = await here.deposit({ amount_minor: 50_000 });
    const paid = { intent: stripeIdOf("pi"), amount: 50_000, metadata: { deposit_id: deposit } };
    const again = intentSucceeded({ ...paid, intent: stripeIdOf("pi") });
    for (const event of [intentSucceeded(paid), sessionCompleted(paid), again])
      await postProcessorEvent(event);
    expect(await rowById("deposits", deposit)).toMatchObject({ status: "cleared", collected_via: "stripe" });
    expect(await named(here)).toEqual(["deposit.cleared"]);
    expect(await outcome(again.id)).toMatchObject({
      organization_id: here.organizationId,
      outcome: "unmatched",
      unmatched_reason: "deposit_cleared_already",
    });
    const refund = chargeRefunded(paid, 50_000);
    await postProcessorEvent(refund);
    expect(await outcome(refund.id)).toMatchObject({ unmatched_reason: "deposit_taken_back" });
  });

  it.each([
    [49_999, "pending"],
    [50_001, "cleared"],
  ])("of %i leaves a deposit of 50,000 %s", async (amount, status) => {
    const here = await makeFilledWorkspace();
    const deposit = await here.deposit({ amount_minor: 50_000 });
    const paid = { intent: stripeIdOf("pi"), amount, metadata: { deposit_id: deposit } };
    await postProcessorEvent(intentSucceeded(paid));
    expect(await rowById("deposits", deposit)).toMatchObject({ status });
  });
});

describe("a refund or dispute", () => {
  it("is counted once, in whatever order its events arrive [Y7]", async () => {
    const here = await makeFilledWorkspace();
    const paid = paidFor(await here.openInvoice(10_000));
    const refunds = [3_000, 8_000, 10_000].map((refunded) => chargeRefunded(paid, refunded));
    await postProcessorEvent(refunds[1] as (typeof refunds)[0]);
    expect(await outcome(refunds[1]?.id ?? "")).toMatchObject({ unmatched_reason: "payment_not_seen" });
    await postProcessorEvent(intentSucceeded(paid));
    expect(await rowById("invoices", paid.metadata.invoice_id)).toMatchObject({
      status: "partially_paid",
      amount_paid_minor: 2_000,
    });
    for (const refund of [...refunds, chargeRefunded(paid, 8_000)])
      expect((await postProcessorEvent(refund)).status).toBe(200);
    expect(await rowById("invoices", paid.metadata.invoice_id)).toMatchObject({
      status: "open",
      amount_paid_minor: 0,
    });
    expect(await named(here)).toEqual([
      "invoice.sent",
      "invoice.paid",
      "invoice.refunded",
      "invoice.refunded",
    ]);
    expect(await outcome(refunds[1]?.id ?? "")).toMatchObject({
      outcome: "reversal",
      unmatched_reason: null,
    });
  });

  it("is recorded with each refund's own amount", async () => {
    const here = await makeFilledWorkspace();
    const paid = paidFor(await here.openInvoice(10_000));
    for (const event of [intentSucceeded(paid), chargeRefunded(paid, 3_000), chargeRefunded(paid, 8_000)]) {
      await postProcessorEvent(event);
    }
    expect((await here.events()).slice(-2).map(({ data }) => data)).toMatchObject([
      { amount_refunded: 30, amount_paid: 70, status: "partially_paid", previous_status: "paid" },
      { amount_refunded: 50, amount_paid: 20, status: "partially_paid", previous_status: "partially_paid" },
    ]);
  });

  it.each([
    ["won", ["created", "won"]],
    ["won, reported in reverse order", ["won", "created"]],
  ])("returns the money if the dispute is %s [Y7]", async (_, steps) => {
    const here = await makeFilledWorkspace();
    const paid = paidFor(await here.openInvoice(10_000));
    await postProcessorEvent(intentSucceeded(paid));
    for (const step of steps) {
      const event =
        step === "created" ? disputed(paid, "created", "needs_response") : disputed(paid, "closed", "won");
      await postProcessorEvent(event);
    }
    expect((await rowById("invoices", paid.metadata.invoice_id)).status).toBe("paid");
    const told = (await here.events())
      .slice(-2)
      .map(({ event, data }) => [event, data.dispute_status, data.status]);
    expect(told).toEqual([
      ["invoice.disputed", "opened", "open"],
      ["invoice.disputed", "won", "paid"],
    ]);
  });

  it("returns only the money of the dispute that is won", async () => {
    const here = await makeFilledWorkspace();
    const paid = paidFor(await here.openInvoice(10_000));
    await postProcessorEvent(intentSucceeded(paid));
    const other = (amount: number, step: "created" | "closed", status: string) => {
      const event = disputed({ ...paid, amount }, step, status);
      event.data.object.id = paid.intent.replace("pi_", "du_other");
      return event;
    };
    await postProcessorEvent(disputed({ ...paid, amount: 3_000 }, "created", "needs_response"));
    await postProcessorEvent(other(2_000, "created", "needs_response"));
    expect((await rowById("invoices", paid.metadata.invoice_id)).amount_paid_minor).toBe(5_000);
    await postProcessorEvent(other(2_000, "closed", "won"));
    expect((await rowById("invoices", paid.metadata.invoice_id)).amount_paid_minor).toBe(7_000);
  });

  it.each([
    [{ amount: 0 }, { outcome: "reversal" }],
    [{ currency: "xts" }, { outcome: "unmatched", unmatched_reason: "unknown_currency" }],
    [
      { currency: "isk", amount: 501 },
      { outcome: "unmatched", unmatched_reason: "fraction_of_a_unit" },
    ],
    [{ currency: "jpy" }, { outcome: "unmatched", unmatched_reason: "currency_differs" }],
  ])("with %j reverses nothing and is listed as %j", async (fields, became) => {
    const here = await makeFilledWorkspace();
    const paid = paidFor(await here.openInvoice(10_000));
    await postProcessorEvent(intentSucceeded(paid));
    const inAnother = { ...paid, ...fields };
    for (const event of [
      disputed(inAnother, "created", "needs_response"),
      disputed(inAnother, "closed", "won"),
      chargeRefunded(inAnother, inAnother.amount),
    ]) {
      for (const _ of ["once", "again"]) expect((await postProcessorEvent(event)).status).toBe(200);
      expect(await outcome(event.id)).toMatchObject({ organization_id: here.organizationId, ...became });
    }
    expect((await rowById("invoices", paid.metadata.invoice_id)).status).toBe("paid");
    expect(await named(here)).toEqual(["invoice.sent", "invoice.paid"]);
  });

  it("leaves the money reversed if the dispute is lost, and reverses nothing for an inquiry", async () => {
    const here = await makeFilledWorkspace();
    const [lost, asked] = [paidFor(await here.openInvoice(10_000)), paidFor(await here.openInvoice(10_000))];
    for (const paid of [lost, asked]) await postProcessorEvent(intentSucceeded(paid));
    for (const status of ["needs_response", "lost"]) {
      await postProcessorEvent(disputed(lost, status === "lost" ? "closed" : "created", status));
    }
    await postProcessorEvent(disputed(asked, "created", "warning_needs_response"));
    await postProcessorEvent(disputed(asked, "closed", "warning_closed"));
    expect((await rowById("invoices", lost.metadata.invoice_id)).status).toBe("open");
    expect((await rowById("invoices", asked.metadata.invoice_id)).status).toBe("paid");
  });
});
