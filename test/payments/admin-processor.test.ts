import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { runOperation } from "../../src/operations/run-operation.ts";
import { servicesOf } from "../../src/services.ts";
import { admin, refusal } from "../support/admin.ts";
import {
  type FilledWorkspace,
  makeFilledWorkspace,
  rowById,
  sql,
  update,
} from "../support/filled-workspace.ts";
import { postProcessorEvent } from "../support/processor.ts";
import {
  chargeRefunded,
  disputed,
  intentSucceeded,
  sessionCompleted,
  stripeEvent,
  stripeIdOf,
} from "../support/stripe.ts";

interface Listed {
  id: string;
  outcome: string;
  unmatched_reason: string | null;
  amount: number | null;
  currency: string | null;
  invoice_id: string | null;
  payment_id: string | null;
  deposit_id: string | null;
}

const list = (here: FilledWorkspace, fields = {}) => admin<Listed[]>(here, "list-processor-events", fields);
const match = (here: FilledWorkspace, id: string, invoice: string, fields = {}) =>
  admin<Listed>(here, "match-processor-event", { id, invoice, ...fields });

const paid = (metadata: Record<string, string> = {}, amount = 10_000) => ({
  intent: stripeIdOf("pi"),
  amount,
  metadata,
});

async function received(here: FilledWorkspace, event: ReturnType<typeof stripeEvent>) {
  await postProcessorEvent(event);
  const found = (await list(here)).find(({ id }) => id === event.id);
  if (!found) throw new Error("the event is not in the list");
  return found;
}

describe("list-processor-events", () => {
  it("lists events with their outcomes, newest first", async () => {
    const here = await makeFilledWorkspace();
    const invoice = await here.openInvoice(10_000);
    const money = paid({ invoice_id: invoice });
    const events = [intentSucceeded(money), chargeRefunded(money, 2_500)];
    for (const event of events) await postProcessorEvent(event);
    const [payment] = await sql("SELECT id FROM payments WHERE invoice_id = ?", invoice);
    const listed = (await list(here)).filter(({ id }) => events.some((event) => event.id === id));
    expect(listed).toMatchObject([
      { type: "charge.refunded", outcome: "reversal", amount: 25, currency: "USD", invoice_id: invoice },
      {
        id: events[0]?.id,
        outcome: "payment",
        unmatched_reason: null,
        amount: 100,
        invoice_id: invoice,
        payment_id: payment?.id,
        deposit_id: null,
        occurred_at: "2026-01-31T09:30:00.000Z",
      },
    ]);
    expect(JSON.stringify(listed)).not.toMatch(/\b(pi|ch|cs)_/);
    expect(await list(here, { outcome: "payment", limit: "1" })).toMatchObject([{ id: events[0]?.id }]);
  });

  it("lists each payment with its own invoice", async () => {
    const here = await makeFilledWorkspace();
    for (const _ of ["one", "two"]) {
      const invoice_id = await here.openInvoice(10_000);
      const event = intentSucceeded(paid({ invoice_id }));
      await postProcessorEvent(event);
      const [payment] = await sql("SELECT id FROM payments WHERE invoice_id = ?", invoice_id);
      expect((await list(here)).filter(({ id }) => id === event.id)).toMatchObject([
        { invoice_id, payment_id: payment?.id },
      ]);
    }
  });

  it("shows an operator the workspace's events and the unassigned ones, newest first", async () => {
    const here = await makeFilledWorkspace();
    const own = intentSucceeded({ ...paid({ invoice_id: await here.openInvoice(100) }), currency: "eur" });
    const others = [intentSucceeded(paid()), intentSucceeded(paid())].reverse();
    for (const event of [own, ...others]) await postProcessorEvent(event);
    const at = (id: string, received_at: string) => update("processor_events", id, { received_at });
    for (const { id } of others) await at(id, "2999-01-02T00:00:00.000Z");
    await at(own.id, "2999-01-01T00:00:00.000Z");
    const newest = others.map(({ id }) => id);
    expect(newest).toEqual(newest.toSorted().reverse());
    const listed = async (limit: number) => (await list(here, { limit })).map(({ id }) => id);
    expect(await listed(3)).toEqual([...newest, own.id]);
    expect(await listed(2)).toEqual(newest);
    expect(await listed(1)).toEqual(newest.slice(0, 1));
    await at(own.id, "2999-01-03T00:00:00.000Z");
    expect(await listed(2)).toEqual([own.id, newest[0]]);
    for (const { id } of [own, ...others]) await at(id, "2026-01-31T09:30:00.000Z");
  });

  it.each([
    ["names nothing", "names_nothing", async () => intentSucceeded(paid())],
    ["names an unknown invoice", "not_found", async () => intentSucceeded(paid({ invoice_id: "nothing" }))],
    [
      "is for a draft",
      "invoice_is_draft",
      async (here: FilledWorkspace) => intentSucceeded(paid({ invoice_id: await here.draft(100) })),
    ],
    [
      "is in another currency",
      "currency_differs",
      async (here: FilledWorkspace) =>
        intentSucceeded({ ...paid({ invoice_id: await here.openInvoice(100) }), currency: "eur" }),
    ],
    [
      "is in another currency than the deposit",
      "currency_differs",
      async (here: FilledWorkspace) =>
        intentSucceeded({ ...paid({ deposit_id: await here.deposit() }, 50_000), currency: "eur" }),
    ],
    [
      "is less than the deposit",
      "deposit_amount_differs",
      async (here: FilledWorkspace) => intentSucceeded(paid({ deposit_id: await here.deposit() }, 49_999)),
    ],
    [
      "is a fraction of a unit",
      "fraction_of_a_unit",
      async () => intentSucceeded({ ...paid({}, 150), currency: "isk" }),
    ],
    [
      "is in an unknown currency",
      "unknown_currency",
      async () => intentSucceeded({ ...paid(), currency: "btc" }),
    ],
    ["reverses an unknown payment", "payment_not_seen", async () => chargeRefunded(paid(), 100)],
    ["has an unknown shape", "unreadable", async () => stripeEvent("charge.refunded", { id: "ch_1" })],
  ])("lists an event as unmatched if it %s: %s", async (_, reason, eventOf) => {
    const here = await makeFilledWorkspace();
    const event = await received(here, await eventOf(here));
    expect(event).toMatchObject({ outcome: "unmatched", unmatched_reason: reason, payment_id: null });
    expect((await here.events()).map((made) => made.event)).not.toContain("invoice.paid");
  });

  it("shows a workspace only its own events, and unassigned events only to operators", async () => {
    const [here, there] = [await makeFilledWorkspace(), await makeFilledWorkspace()];
    const own = intentSucceeded({ ...paid({ invoice_id: await here.openInvoice(100) }), currency: "eur" });
    const nobodys = intentSucceeded(paid());
    for (const event of [own, nobodys]) await postProcessorEvent(event);
    const ids = async (workspace: FilledWorkspace) => (await list(workspace)).map(({ id }) => id);
    expect(await ids(here)).toEqual(expect.arrayContaining([own.id, nobodys.id]));
    expect(await ids(there)).not.toContain(own.id);
    const asAdmin = (name: string, fields: object) =>
      runOperation(
        { name, fields: { ...fields }, organization: here.organizationId, actor: undefined, requestId: "" },
        servicesOf(env),
        () => {},
      );
    const seen = (await asAdmin("list-processor-events", {})) as Listed[];
    expect(seen.map(({ id }) => id)).toEqual([own.id]);
    const invoice = await here.openInvoice(100);
    expect(await asAdmin("match-processor-event", { id: nobodys.id, invoice })).toMatchObject({
      text: `There is no processor event ${nobodys.id} in this workspace`,
    });
  });
});

describe("match-processor-event", () => {
  it("also assigns an unmatched payment's other events and reversals [Y6]", async () => {
    const here = await makeFilledWorkspace();
    const invoice = await here.openInvoice(10_000);
    const money = paid();
    const refund = chargeRefunded(money, 1_000);
    const { id } = await received(here, intentSucceeded(money));
    await postProcessorEvent(refund);
    expect(await match(here, id, invoice)).toMatchObject({ id, outcome: "payment", invoice_id: invoice });
    await postProcessorEvent(sessionCompleted(money));
    expect(await rowById("invoices", invoice)).toMatchObject({
      status: "partially_paid",
      amount_paid_minor: 9_000,
    });
    expect(await rowById("processor_events", refund.id)).toMatchObject({ outcome: "reversal" });
    expect((await here.events()).map(({ event }) => event)).toEqual([
      "invoice.sent",
      "invoice.paid",
      "invoice.refunded",
    ]);
    const audit = await sql(
      "SELECT action, subject_id, details FROM audit_log WHERE organization_id = ?",
      here.organizationId,
    );
    const details = JSON.stringify({ event: id, amount: 100 });
    expect(audit).toEqual([{ action: "processor_event.matched", subject_id: invoice, details }]);
  });

  it("converts a payment in another currency, and its refunds, at the rate of the admin's amount", async () => {
    const here = await makeFilledWorkspace();
    const invoice = await here.openInvoice(11_000);
    const money = { ...paid({ invoice_id: invoice }), currency: "eur" };
    const { id } = await received(here, intentSucceeded(money));
    expect(await refusal(here, "match-processor-event", { id, invoice })).toEqual({
      message: "This payment is in EUR, but the invoice is in USD",
      hint: "set amount to the payment's value in USD",
    });
    await match(here, id, invoice, { amount: "110" });
    expect(await rowById("invoices", invoice)).toMatchObject({ status: "paid", amount_paid_minor: 11_000 });
    const [audit] = await sql("SELECT details FROM audit_log WHERE organization_id = ?", here.organizationId);
    expect(audit).toEqual({ details: JSON.stringify({ event: id, amount: 110 }) });
    await postProcessorEvent(chargeRefunded(money, 3_333));
    expect(await rowById("invoices", invoice)).toMatchObject({ amount_paid_minor: 11_000 - 3_666 });
    await postProcessorEvent(chargeRefunded(money, 3_335));
    expect(await rowById("invoices", invoice)).toMatchObject({ amount_paid_minor: 11_000 - 3_669 });
    await postProcessorEvent(chargeRefunded(money, 10_000));
    expect(await rowById("invoices", invoice)).toMatchObject({ status: "open", amount_paid_minor: 0 });
  });

  it.each([
    [30_000_000, 510_000_000_000, 10_000_000, 170_000_000_000],
    [99_999_999, 99_999_999_999_999, 33_333_333, 33_333_333_333_333],
    // Floating-point arithmetic would be off by one.
    [99_999_381, 99_999_999_069_388, 97_762_200, 97_762_804_241_971],
  ])(
    "converts exactly: of %i cents worth %i, a refund of %i reverses %i",
    async (cents, worth, third, worthOfThird) => {
      const here = await makeFilledWorkspace();
      const invoice = await here.openInvoice(worth, { currency: "IDR" });
      const money = { ...paid({ invoice_id: invoice }, cents), currency: "eur" };
      const { id } = await received(here, intentSucceeded(money));
      await match(here, id, invoice, { amount: String(worth / 100) });
      expect((await postProcessorEvent(chargeRefunded(money, third))).status).toBe(200);
      expect(await rowById("invoices", invoice)).toMatchObject({ amount_reversed_minor: worthOfThird });
      expect((await postProcessorEvent(chargeRefunded(money, cents))).status).toBe(200);
      expect(await rowById("invoices", invoice)).toMatchObject({ status: "open", amount_paid_minor: 0 });
    },
  );

  it("records a payment in an unsupported currency at the given value", async () => {
    const here = await makeFilledWorkspace();
    const invoice = await here.openInvoice(10_000);
    const money = { ...paid({ invoice_id: invoice }, 250_000), currency: "std" };
    const { id } = await received(here, intentSucceeded(money));
    await match(here, id, invoice, { amount: "100" });
    expect((await rowById("invoices", invoice)).status).toBe("paid");
    const refund = await received(here, chargeRefunded(money, 250_000));
    expect(refund).toMatchObject({ outcome: "unmatched", unmatched_reason: "unknown_currency" });
    expect((await rowById("invoices", invoice)).status).toBe("paid");
  });

  it("reverses a payment in another currency only in that currency", async () => {
    const here = await makeFilledWorkspace();
    const invoice = await here.openInvoice(11_000);
    const money = { ...paid({ invoice_id: invoice }), currency: "eur" };
    const { id } = await received(here, intentSucceeded(money));
    await match(here, id, invoice, { amount: "110" });
    const inDollars = await received(here, chargeRefunded({ ...money, currency: "usd" }, 1_000));
    expect(inDollars).toMatchObject({ outcome: "unmatched", unmatched_reason: "currency_differs" });
    const inEuros = await received(here, disputed({ ...money, amount: 500 }, "created", "needs_response"));
    expect(inEuros).toMatchObject({ outcome: "reversal", unmatched_reason: null });
    expect((await rowById("invoices", invoice)).amount_paid_minor).toBe(11_000 - 550);
  });

  it("assigns a payment to an invoice in its own currency without an amount", async () => {
    const here = await makeFilledWorkspace();
    const [dollars, euros] = [
      await here.openInvoice(10_000),
      await here.openInvoice(10_000, { currency: "EUR" }),
    ];
    const { id } = await received(
      here,
      intentSucceeded({ ...paid({ invoice_id: dollars }), currency: "eur" }),
    );
    await match(here, id, euros);
    expect((await rowById("invoices", euros)).status).toBe("paid");
    expect((await rowById("invoices", dollars)).status).toBe("open");
  });

  it("pays the selected invoice, even if the payment's other events name another one", async () => {
    const here = await makeFilledWorkspace();
    const [named, chosen] = [await here.draft(10_000), await here.openInvoice(10_000)];
    const money = paid({ invoice_id: named });
    await postProcessorEvent(intentSucceeded(money));
    const { id } = await received(here, sessionCompleted(money));
    await update("invoices", named, { status: "open" });
    await match(here, id, chosen);
    const statuses = [await rowById("invoices", chosen), await rowById("invoices", named)];
    expect(statuses.map(({ status }) => status)).toEqual(["paid", "open"]);
  });

  it("does not match a reversal in a currency other than the invoice's", async () => {
    const here = await makeFilledWorkspace();
    const invoice = await here.openInvoice(10_000);
    await here.pay(invoice, 10_000);
    const { id } = await received(here, chargeRefunded({ ...paid(), currency: "eur" }, 4_000));
    for (const fields of [{}, { amount: "40" }])
      expect((await refusal(here, "match-processor-event", { id, invoice, ...fields })).message).toBe(
        "This reversal is in EUR, but the invoice is in USD",
      );
    expect((await rowById("invoices", invoice)).amount_paid_minor).toBe(10_000);
  });

  it("applies a refund for a payment from before Stripe was connected", async () => {
    const here = await makeFilledWorkspace();
    const invoice = await here.openInvoice(10_000);
    await here.pay(invoice, 10_000);
    const { id } = await received(here, chargeRefunded(paid(), 4_000));
    expect(await match(here, id, invoice)).toMatchObject({ outcome: "reversal", invoice_id: invoice });
    expect(await rowById("invoices", invoice)).toMatchObject({
      status: "partially_paid",
      amount_paid_minor: 6_000,
    });
  });

  it.each(["charge.refunded", "charge.dispute.created"])(
    "applies all reversals of a payment from before Stripe was connected when its %s is matched",
    async (matched) => {
      const here = await makeFilledWorkspace();
      const invoice = await here.openInvoice(10_000);
      await here.pay(invoice, 10_000);
      const money = paid();
      const events = [
        chargeRefunded(money, 4_000),
        disputed({ ...money, amount: 1_000 }, "created", "needs_response"),
      ];
      for (const event of events) await postProcessorEvent(event);
      await match(here, events.find(({ type }) => type === matched)?.id ?? "", invoice);
      for (const { id } of events)
        expect(await rowById("processor_events", id)).toMatchObject({ outcome: "reversal" });
      expect((await rowById("invoices", invoice)).amount_paid_minor).toBe(5_000);
    },
  );

  it("rejects a matched event, a draft, another workspace's invoice and a reversal before its payment", async () => {
    const [here, there] = [await makeFilledWorkspace(), await makeFilledWorkspace()];
    const invoice = await here.openInvoice(10_000);
    const money = paid();
    const { id } = await received(here, intentSucceeded(money));
    const refund = await received(here, chargeRefunded(money, 1_000));
    const unreadable = await received(here, stripeEvent("charge.refunded", { id: "ch_1" }));
    const foreign = await there.openInvoice(100);
    const draft = await here.draft(100);
    const refused = async (fields: object) =>
      (await refusal(here, "match-processor-event", { ...fields })).message;
    expect(await refused({ id, invoice: foreign })).toBe(`There is no invoice ${foreign} in this workspace`);
    expect(await refused({ id: "evt_none", invoice })).toContain("There is no processor event");
    expect(await refused({ id, invoice: draft })).toContain("This invoice is a draft");
    expect(await refused({ id, invoice, amount: "1" })).toContain(
      "only allowed for payments in another currency",
    );
    expect(await refused({ id: refund.id, invoice })).toContain("matched together with its payment");
    expect(await refused({ id: unreadable.id, invoice })).toContain("cannot be read");
    await match(here, id, invoice);
    for (const to of [invoice, draft])
      expect(await refused({ id, invoice: to })).toBe("This event is not unmatched. Its outcome is payment");
    expect((await rowById("invoices", invoice)).amount_paid_minor).toBe(9_000);
  });

  it("rejects a reversal of a cleared deposit, and one in a currency other than its payment's", async () => {
    const here = await makeFilledWorkspace();
    const [invoice, draft] = [await here.openInvoice(10_000), await here.draft(100)];
    const [cleared, recorded] = [
      paid({ deposit_id: await here.deposit() }, 50_000),
      paid({ invoice_id: invoice }),
    ];
    const refundOf = async (money: typeof recorded, currency: string) => {
      await postProcessorEvent(intentSucceeded(money));
      return received(here, chargeRefunded({ ...money, currency }, 1_000));
    };
    const ofDeposit = {
      message: "This event reverses a cleared deposit. The deposit stays cleared",
      hint: "settle this with the client, because the project has started",
    };
    for (const currency of ["usd", "xxx"]) {
      const { id } = await refundOf(cleared, currency);
      for (const each of [invoice, draft])
        expect(await refusal(here, "match-processor-event", { id, invoice: each })).toEqual(ofDeposit);
    }
    const { id, unmatched_reason } = await refundOf(recorded, "eur");
    expect(unmatched_reason).toBe("currency_differs");
    expect((await refusal(here, "match-processor-event", { id, invoice })).hint).toContain(
      "the payment is already recorded, so record the reversal with SQL",
    );
  });

  it("rejects an event that has just been assigned to another workspace", async () => {
    const [here, there] = [await makeFilledWorkspace(), await makeFilledWorkspace()];
    const invoice = await here.openInvoice(10_000);
    const { id } = await received(here, intentSucceeded(paid()));
    const batch = env.DB.batch.bind(env.DB);
    vi.spyOn(env.DB, "batch").mockImplementation(async (statements) => {
      const answers = await batch(statements);
      if (answers.some(({ results }) => "has_payment" in Object(results[0])))
        await sql("UPDATE processor_events SET organization_id = ? WHERE id = ?", there.organizationId, id);
      return answers as never;
    });
    expect(await refusal(here, "match-processor-event", { id, invoice })).toMatchObject({
      message: expect.stringContaining("no processor event"),
    });
    vi.restoreAllMocks();
    expect((await rowById("invoices", invoice)).status).toBe("open");
  });

  it("lets only one of two concurrent admins assign an event", async () => {
    const here = await makeFilledWorkspace();
    const invoices = [await here.openInvoice(10_000), await here.openInvoice(10_000)];
    const { id } = await received(here, intentSucceeded(paid()));
    const batch = env.DB.batch.bind(env.DB);
    let read = 0;
    const bothHaveRead = Promise.withResolvers<void>();
    vi.spyOn(env.DB, "batch").mockImplementation(async (statements) => {
      const answers = await batch(statements);
      if (answers.some(({ results }) => "has_payment" in Object(results[0]))) {
        read += 1;
        if (read === 2) bothHaveRead.resolve();
        await bothHaveRead.promise;
      }
      return answers as never;
    });
    const answers = await Promise.allSettled(invoices.map((invoice) => match(here, id, invoice)));
    const [payment, ...others] = await sql(
      "SELECT invoice_id FROM payments WHERE organization_id = ?",
      here.organizationId,
    );
    expect(others).toEqual([]);
    expect(answers.find(({ status }) => status === "fulfilled")).toMatchObject({ value: payment });
    expect(answers.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { message: "This event is not unmatched. Its outcome is payment" },
    });
  });
});
