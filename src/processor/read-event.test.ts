import { describe, expect, it } from "vitest";
import {
  chargeRefunded,
  disputed,
  intentSucceeded,
  sessionCompleted,
  stripeEvent,
} from "../../test/support/stripe.ts";
import { readEvent } from "./read-event.ts";

const invoice = "8a0a7a0c-2c3b-4f53-a3b5-6a3f8c2d4e12";
const deposit = "1d2e3f4a-5b6c-4d7e-8f9a-0b1c2d3e4f15";
const paid = { intent: "pi_1", amount: 12_050, metadata: { invoice_id: invoice } };
const nothing = {
  kind: "other",
  processorPaymentId: null,
  processorReversalId: null,
  amountMinor: null,
  currency: null,
  invoiceId: null,
  depositId: null,
  problem: null,
};
const payment = {
  ...nothing,
  kind: "payment",
  processorPaymentId: "pi_1",
  amountMinor: 12_050,
  currency: "USD",
  invoiceId: invoice,
};

describe("readEvent", () => {
  it("returns the event's id, type and time", () => {
    const event = intentSucceeded(paid);
    expect(readEvent(event)).toEqual({
      id: event.id,
      type: "payment_intent.succeeded",
      occurredAt: "2026-01-31T09:30:00.000Z",
      ...payment,
    });
  });

  it.each([
    ["a payment intent", intentSucceeded(paid), payment],
    ["a paid session", sessionCompleted(paid), payment],
    ["a session that was paid later", sessionCompleted(paid, { later: true }), payment],
    ["an unpaid session", sessionCompleted(paid, { paid: false }), nothing],
    [
      "a deposit",
      intentSucceeded({ ...paid, metadata: { deposit_id: deposit.toUpperCase() } }),
      { ...payment, invoiceId: null, depositId: deposit },
    ],
    [
      "a refund, with the total refunded so far",
      chargeRefunded(paid, 5000),
      {
        ...nothing,
        kind: "refund",
        processorPaymentId: "pi_1",
        processorReversalId: "ch_1",
        amountMinor: 5000,
        currency: "USD",
      },
    ],
    [
      "an amount with a fraction of a unit",
      intentSucceeded({ ...paid, currency: "isk" }),
      { ...payment, amountMinor: null, currency: null, problem: "fraction_of_a_unit" },
    ],
    [
      "an amount in an unknown currency",
      intentSucceeded({ ...paid, currency: "btc" }),
      { ...payment, amountMinor: null, currency: null, problem: "unknown_currency" },
    ],
    [
      "an object of the wrong shape",
      stripeEvent("charge.refunded", {}),
      { ...nothing, problem: "unreadable" },
    ],
    ["a payment of zero", intentSucceeded({ ...paid, amount: 0 }), nothing],
    ["an event that is not about money", stripeEvent("customer.created", { id: "cus_1" }), nothing],
    ["an event type that is the name of an object method", stripeEvent("toString", {}), nothing],
  ])("reads %s", (_, event, expected) => {
    expect(readEvent(event)).toMatchObject(expected);
  });

  it.each([
    ["created", "needs_response", "dispute"],
    ["created", "warning_needs_response", "other"],
    ["created", "prevented", "other"],
    ["funds_withdrawn", "needs_response", "dispute"],
    ["funds_withdrawn", "warning_needs_response", "other"],
    ["closed", "lost", "dispute"],
    ["closed", "won", "dispute_won"],
    ["closed", "warning_closed", "other"],
  ] as const)("reads a dispute %s with status %s as %s", (step, status, kind) => {
    const event = readEvent(disputed(paid, step, status));
    const about = { processorPaymentId: "pi_1", processorReversalId: "du_1", amountMinor: 12_050 };
    expect(event).toMatchObject(kind === "other" ? nothing : { kind, ...about });
  });

  it("accepts an expanded payment intent, and falls back to the session's id", () => {
    const expanded = sessionCompleted(paid);
    expanded.data.object.payment_intent = { id: "pi_1", object: "payment_intent" };
    expect(readEvent(expanded)).toMatchObject(payment);
    expanded.data.object.payment_intent = null;
    expect(readEvent(expanded)).toMatchObject({ ...payment, processorPaymentId: "cs_test_1" });
  });

  it("assigns a reversal to its charge if the charge has no payment intent", () => {
    const refund = chargeRefunded(paid, 5000);
    refund.data.object.payment_intent = null;
    expect(readEvent(refund)).toMatchObject({ kind: "refund", processorPaymentId: "ch_1" });
    const dispute = disputed(paid, "created", "needs_response");
    dispute.data.object.payment_intent = null;
    expect(readEvent(dispute)).toMatchObject({ kind: "dispute", processorPaymentId: "ch_1" });
  });

  it("trims the invoice id, and treats a negative amount as unreadable", () => {
    expect(readEvent(intentSucceeded({ ...paid, metadata: { invoice_id: ` ${invoice} ` } }))).toMatchObject(
      payment,
    );
    expect(readEvent(intentSucceeded({ ...paid, amount: -1 }))).toMatchObject({
      kind: "other",
      problem: "unreadable",
    });
  });

  it("reports no payment for a session without an amount", () => {
    const session = sessionCompleted(paid);
    for (const changes of [
      { payment_status: "no_payment_required" },
      { amount_total: null },
      { currency: null },
      { amount_total: 0 },
    ]) {
      const event = { ...session, data: { object: { ...session.data.object, ...changes } } };
      expect(readEvent(event)).toMatchObject(nothing);
    }
  });

  it("reports a payment without metadata, with the amount received", () => {
    const event = intentSucceeded(paid);
    event.data.object.metadata = null;
    expect(readEvent(event)).toMatchObject({ ...payment, invoiceId: null });
  });

  it("accepts ids of up to 255 characters, whole amounts and three-letter currencies", () => {
    const id = (characters: number) => `evt_${"x".repeat(characters - 4)}`;
    expect(
      [255, 256].map((characters) => readEvent({ ...intentSucceeded(paid), id: id(characters) })?.id),
    ).toEqual([id(255), undefined]);
    expect(readEvent({ ...intentSucceeded(paid), type: "x".repeat(256) })).toBeNull();
    const unreadable = { ...nothing, problem: "unreadable" };
    for (const changes of [
      { id: id(256) },
      { amount_received: 1.5 },
      { currency: "us" },
      { currency: "usdc" },
    ]) {
      const event = intentSucceeded(paid);
      Object.assign(event.data.object, changes);
      expect(readEvent(event)).toMatchObject(unreadable);
    }
  });

  it("rejects a timestamp after the year 9999", () => {
    const last = 253_402_300_799;
    expect(readEvent({ ...intentSucceeded(paid), created: last })?.occurredAt).toBe(
      "9999-12-31T23:59:59.000Z",
    );
    expect(readEvent({ ...intentSucceeded(paid), created: last + 1 })).toBeNull();
  });

  it("returns null for a body that is not an event", () => {
    for (const signed of [null, [], {}, "evt_1", { id: "evt_1", type: "x" }]) {
      expect(readEvent(signed)).toBeNull();
    }
  });
});
