import assert from "node:assert/strict";
import { IdempotencyKeyReusedError } from "../../client/src/index.ts";
import { type DemoContext, expectAnswer, type JsonFields } from "./context.ts";
import type { Found } from "./lists.ts";
import { paymentSucceeded, postStripeEvent } from "./stripe.ts";

/** A partner logs time and drafts an invoice, an admin issues it, and it is paid. */
export async function logAndBill(
  { admin, api, call, server, step }: DemoContext,
  { northwind, relaunch }: Found,
): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  const entry = {
    project_id: relaunch.id,
    hours: 2.5,
    spent_date: today,
    description: "Prototype",
    hourly_rate: 95,
  };
  const key = { idempotencyKey: "demo-time-1" };
  let loggedId: string;
  let draft: JsonFields;

  await step("Log time", async () => {
    const logged = await api.timeEntries.create(entry, key);
    assert.deepEqual(
      [logged.hours, logged.client_ref, logged.idempotent_replay],
      [2.5, "demo-time-1", undefined],
    );
    loggedId = logged.id;
    return `${logged.hours} h on ${relaunch.name}`;
  });

  await step("The same request again is a replay, not a second entry", async () => {
    const { id, idempotent_replay } = await api.timeEntries.create(entry, key);
    assert.deepEqual({ id, idempotent_replay }, { id: loggedId, idempotent_replay: true });
    return "idempotent_replay: true";
  });

  await step("The same key with a different request is refused", async () => {
    const error = await api.timeEntries.create({ ...entry, hours: 3 }, key).catch((thrown) => thrown);
    assert.ok(error instanceof IdempotencyKeyReusedError);
    return error.body.error;
  });

  await step("Draft an invoice for the time entry", async () => {
    const line = {
      description: "Prototype",
      quantity: 2.5,
      unit_price: 95,
      tax_rate: 19,
      time_entry_id: loggedId,
    };
    const body = { client_id: northwind.id, project_id: relaunch.id, line_items: [line] };
    const answer = await call("/api-v1/invoices", { body, key: "demo-invoice-1" });
    expectAnswer(answer, 201, { status: "draft", number: null, total: 282.63 });
    draft = answer.body;
    return `${draft.total} ${draft.currency}, ${draft.status}`;
  });

  await step("The API cannot issue invoices, so an admin does", async () => {
    const body = {
      client_id: northwind.id,
      status: "open",
      line_items: [{ description: "x", quantity: 1, unit_price: 1 }],
    };
    const refused = await call("/api-v1/invoices", { body, key: "demo-invoice-2" });
    expectAnswer(refused, 400);
    const issued = await admin("issue-invoice", { id: draft.id });
    assert.equal(issued.status, "open");
    return `${refused.body.error}; issued as ${issued.number}`;
  });

  await step("Part of the invoice is paid by bank transfer", async () => {
    const { invoice } = await admin("record-payment", { invoice: draft.id, amount: "100" });
    assert.equal(invoice.status, "partially_paid");
    return `${invoice.status}, ${invoice.amount_due} due`;
  });

  await step("Stripe reports the rest in a signed event twice, and it is recorded once", async () => {
    const event = paymentSucceeded(draft.id, { amount: 182_63, currency: draft.currency });
    for (const _ of ["first", "again"]) assert.equal(await postStripeEvent(server, event), 200);
    assert.equal(await postStripeEvent({ ...server, stripe_webhook_secret: "whsec_forged" }, event), 400);
    const answer = await call(`/api-v1/invoices/${draft.id}`);
    expectAnswer(answer, 200, { status: "paid", amount_due: 0, amount_paid: 282.63 });
    return `${answer.body.status}; the same event with a forged signature: 400`;
  });
}
