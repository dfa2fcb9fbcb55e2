import { describe, expect, it } from "vitest";
import {
  type FilledWorkspace,
  makeFilledWorkspace,
  rowById,
  sql,
  update,
  type Values,
} from "../support/filled-workspace.ts";

const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

async function paidInvoice(here: FilledWorkspace, values = {}) {
  const id = await here.openInvoice(100, values);
  await here.pay(id, 100);
  return id;
}

const newest = async (here: FilledWorkspace, count = 1) =>
  (await here.events()).slice(-count).map(({ event, data }) => ({ event, ...data }));

describe("reversed money", () => {
  it("makes a paid invoice partially paid and then open", async () => {
    const here = await makeFilledWorkspace();
    const id = await paidInvoice(here);
    await here.reversePayment(id, 40);
    expect(await rowById("invoices", id)).toMatchObject({
      status: "partially_paid",
      amount_paid_minor: 60,
      amount_due_minor: 40,
    });
    await here.reversePayment(id, 60, "dispute");
    expect(await rowById("invoices", id)).toMatchObject({
      status: "open",
      amount_paid_minor: 0,
      amount_due_minor: 100,
    });
    expect(await sql("SELECT amount_minor FROM payments WHERE invoice_id = ?", id)).toEqual([
      { amount_minor: 100 },
    ]);
  });

  it("makes a paid invoice overdue if its due date has passed, without an invoice.overdue event", async () => {
    const here = await makeFilledWorkspace();
    const id = await paidInvoice(here, { due_date: yesterday });
    await here.reversePayment(id, 40);
    expect((await rowById("invoices", id)).status).toBe("overdue");
    expect(await newest(here, 2)).toMatchObject([
      { event: "invoice.paid" },
      { event: "invoice.refunded", status: "overdue", previous_status: "paid" },
    ]);
  });

  it("makes a paid invoice partially paid, not overdue, on its due date", async () => {
    const here = await makeFilledWorkspace();
    const id = await paidInvoice(here, { due_date: new Date().toISOString().slice(0, 10) });
    await here.reversePayment(id, 40);
    expect((await rowById("invoices", id)).status).toBe("partially_paid");
  });

  it("makes the invoice open if more is reversed than was paid", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.openInvoice(100);
    await here.pay(id, 10);
    await here.reversePayment(id, 10);
    await here.reversePayment(id, 10, "dispute");
    await here.pay(id, 5);
    expect(await rowById("invoices", id)).toMatchObject({ status: "open", amount_paid_minor: -5 });
    await here.pay(id, 15);
    expect(await rowById("invoices", id)).toMatchObject({ status: "partially_paid", amount_paid_minor: 10 });
  });

  it("does not change the status of an overdue, void or overpaid invoice", async () => {
    const here = await makeFilledWorkspace();
    const [overdue, isVoid, overpaid] = [
      await here.openInvoice(100),
      await here.openInvoice(100),
      await paidInvoice(here),
    ];
    await update("invoices", overdue, { status: "overdue" });
    await update("invoices", isVoid, { status: "void" });
    for (const id of [overdue, isVoid, overpaid]) {
      await here.pay(id, 50);
      await here.reversePayment(id, 50);
    }
    const ends = await Promise.all([overdue, isVoid, overpaid].map((id) => rowById("invoices", id)));
    expect(ends.map(({ status }) => status)).toEqual(["overdue", "void", "paid"]);
    expect(ends.map(({ amount_due_minor }) => amount_due_minor)).toEqual([100, 0, 0]);
  });

  it("does not prevent the cron from making the invoice overdue", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.openInvoice(100, { due_date: yesterday });
    await here.pay(id, 50);
    await here.reversePayment(id, 20);
    expect((await rowById("invoices", id)).status).toBe("partially_paid");
    await update("invoices", id, { status: "overdue" });
    expect(await newest(here)).toMatchObject([
      { event: "invoice.overdue", previous_status: "partially_paid" },
    ]);
  });

  it("is restored by a won dispute without another invoice.paid", async () => {
    const here = await makeFilledWorkspace();
    const id = await paidInvoice(here);
    await here.reversePayment(id, 100, "dispute");
    await here.reversePayment(id, -100, "dispute_won");
    expect(await rowById("invoices", id)).toMatchObject({ status: "paid", amount_paid_minor: 100 });
    expect(await newest(here, 2)).toMatchObject([
      {
        event: "invoice.disputed",
        dispute_status: "opened",
        status: "open",
        previous_status: "paid",
        amount_disputed: 1,
        amount_paid: 0,
      },
      {
        event: "invoice.disputed",
        dispute_status: "won",
        status: "paid",
        previous_status: "open",
        amount_disputed: 1,
        amount_paid: 1,
      },
    ]);
  });

  it("allows an invoice to be voided once all payments are reversed", async () => {
    const here = await makeFilledWorkspace();
    const id = await paidInvoice(here);
    await here.reversePayment(id, 100);
    await update("invoices", id, { status: "void" });
    expect(await rowById("invoices", id)).toMatchObject({ status: "void", amount_due_minor: 0 });
  });

  it("changes the invoice's updated_at", async () => {
    const here = await makeFilledWorkspace();
    const id = await paidInvoice(here);
    const { updated_at } = await rowById<{ updated_at: string }>("invoices", id);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await here.reversePayment(id, 10);
    expect((await rowById<{ updated_at: string }>("invoices", id)).updated_at > updated_at).toBe(true);
  });
});

describe("a reversal", () => {
  it.each([
    ["refund", -1],
    ["refund", 0],
    ["dispute", -1],
    ["dispute_won", 1],
  ])("has the sign of its kind: a %s of %d is rejected", async (kind, amount) => {
    const here = await makeFilledWorkspace();
    const id = await paidInvoice(here);
    await expect(here.reversePayment(id, amount, kind)).rejects.toThrow("reversal_sign_wrong");
  });

  it("is immutable", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.reversePayment(await paidInvoice(here), 40);
    await expect(update("payment_reversals", id, { amount_minor: 1 })).rejects.toThrow("immutable");
    await expect(sql("DELETE FROM payment_reversals WHERE id = ?", id)).rejects.toThrow("immutable");
    await expect(
      sql("INSERT OR REPLACE INTO payment_reversals SELECT * FROM payment_reversals WHERE id = ?", id),
    ).rejects.toThrow("row_exists");
  });

  it("cannot be faked by updating the invoice's amounts or status", async () => {
    const here = await makeFilledWorkspace();
    const id = await paidInvoice(here);
    const byHand: Values[] = [
      { amount_paid_minor: 60 },
      { amount_reversed_minor: 40 },
      { amount_paid_minor: 60, amount_reversed_minor: 40 },
      { status: "open" },
      { status: "partially_paid" },
      { status: "overdue" },
    ];
    for (const values of byHand) {
      await expect(update("invoices", id, values), JSON.stringify(values)).rejects.toThrow(
        /amount_(paid|reversed)_not_sum|invoice_paid_by_payments|payments_taken_back_by_reversals/,
      );
    }
  });
});

it("a Stripe payment is recorded once and clears at most one deposit", async () => {
  const here = await makeFilledWorkspace();
  const id = await here.openInvoice(100);
  const payment = { invoice_id: id, amount_minor: 10, collected_via: "stripe", processor_payment_id: "pi_1" };
  await here.own("payments", payment);
  await expect(here.own("payments", payment)).rejects.toThrow("row_exists");
  await here.deposit({ processor_payment_id: "pi_2" });
  await expect(here.deposit({ processor_payment_id: "pi_2" })).rejects.toThrow("row_exists");
});
