import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { eventCategories } from "../../src/contract/closed-sets.ts";
import type { WebhookEvent } from "../../src/contract/events/webhook-event.ts";
import { type EventName, eventNames, webhookEvents } from "../../src/contract/events.ts";
import { makeFilledWorkspace, update } from "../database/workspace.ts";
import { arrived, deliveriesOf, minute, register } from "../support/webhooks.ts";

type Here = Awaited<ReturnType<typeof makeFilledWorkspace>>;

const paidInvoice = async (here: Here) => {
  const id = await here.openInvoice(12550);
  await here.pay(id, 12550);
  return id;
};

/** What makes each event, by plain SQL. */
const makers: Record<EventName, (here: Here) => Promise<unknown>> = {
  "feedback.created": async (here) => here.feedback(await here.deliverable()),
  "signoff.recorded": async (here) => here.signOff(await here.deliverable()),
  "deliverable.sent": async (here) => here.send(await here.deliverable({ project_id: null })),
  "change_order.sent": (here) => here.changeOrder({ status: "sent" }),
  "change_order.signed": async (here) =>
    update("change_orders", await here.changeOrder({ status: "sent" }), { status: "signed" }),
  "change_order.declined": async (here) =>
    update("change_orders", await here.changeOrder({ status: "sent" }), { status: "declined" }),
  "change_decision.sent": (here) => here.changeDecision({ kind: "milestone_gate", status: "sent" }),
  "invoice.sent": (here) => here.openInvoice(12550),
  "invoice.paid": async (here) => here.pay(await here.openInvoice(12550), 2550),
  "invoice.overdue": async (here) => update("invoices", await here.openInvoice(12550), { status: "overdue" }),
  "invoice.refunded": async (here) => here.takeBack(await paidInvoice(here), 2550),
  "invoice.disputed": async (here) => here.takeBack(await paidInvoice(here), 12550, "dispute"),
  "deposit.cleared": async (here) =>
    update("deposits", await here.deposit(), { status: "cleared", collected_via: "offline" }),
};

/** Holds for a body that has every field of its schema, in its type, and none besides. */
function expectDocumented(event: WebhookEvent, body: unknown) {
  expect(event.payload.parse(body)).toEqual(body);
}

describe("specification 6: event catalogue", () => {
  it.each(eventNames)("%s reaches a receiver with exactly the documented fields", async (name) => {
    const here = await makeFilledWorkspace();
    const endpoint = await register(here, "status/200", { events: name });
    await makers[name](here);
    await minute();
    const requests = await arrived(endpoint);
    expect(requests).toHaveLength(1);
    const [request] = requests;
    expect(request?.headers["x-svc-event"]).toBe(name);
    expectDocumented(webhookEvents[name], JSON.parse(request?.body ?? ""));
    expect(request?.body).not.toMatch(/@|email/);
  });

  it.each(eventNames)("the example of %s is valid by its schema", (name) => {
    expectDocumented(webhookEvents[name], webhookEvents[name].example);
    expect(webhookEvents[name].example.event).toBe(name);
  });

  it("has the names and categories of the database", async () => {
    const { results } = await env.DB.prepare("SELECT name, category FROM event_types").all();
    const catalogue = eventNames.map((name) => ({ name, category: webhookEvents[name].category }));
    expect(results).toEqual(expect.arrayContaining(catalogue));
    expect(results).toHaveLength(catalogue.length);
    expect(new Set(results.map(({ category }) => category))).toEqual(new Set(eventCategories));
  });

  it("sample data never produces a delivery", async () => {
    const here = await makeFilledWorkspace();
    const endpoint = await register(here);
    await update("clients", here.clientId, { is_sample: 1 });
    for (const name of eventNames) await makers[name](here);
    await minute();
    expect(await deliveriesOf(endpoint)).toEqual([]);
  });
});
