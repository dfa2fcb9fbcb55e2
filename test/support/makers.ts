import type { EventName } from "../../src/webhooks/events.ts";
import { type FilledWorkspace, update } from "./filled-workspace.ts";

const paidInvoice = async (here: FilledWorkspace) => {
  const id = await here.openInvoice(12550);
  await here.pay(id, 12550);
  return id;
};

/** Fires each event by SQL. */
export const makers: Record<EventName, (here: FilledWorkspace) => Promise<unknown>> = {
  "feedback.created": async (here) => here.feedback(await here.deliverable()),
  "signoff.recorded": async (here) => here.signOff(await here.deliverable()),
  "deliverable.sent": async (here) => here.send(await here.deliverable({ project_id: null })),
  "deliverable.reminded": async (here) =>
    here.send(await here.deliverable({ project_id: null, reminder_due_at: "2026-02-07T09:30:00.000Z" }), 1, {
      reminder: 1,
      remind_after_days: 7,
    }),
  "deliverable.send_failed": async (here) =>
    update("deliverable_sends", await here.send(await here.deliverable({ project_id: null })), {
      delivery_problem: JSON.stringify({
        at: "2026-02-07T09:30:00.000Z",
        kind: "bounced",
        reason: "550 5.1.1 User unknown",
      }),
    }),
  "change_order.sent": (here) => here.changeOrder({ status: "sent" }),
  "change_order.signed": async (here) =>
    update("change_orders", await here.changeOrder({ status: "sent" }), { status: "signed" }),
  "change_order.declined": async (here) =>
    update("change_orders", await here.changeOrder({ status: "sent" }), { status: "declined" }),
  "change_decision.sent": (here) => here.changeDecision({ kind: "milestone_gate", status: "sent" }),
  "invoice.sent": (here) => here.openInvoice(12550),
  "invoice.paid": async (here) => here.pay(await here.openInvoice(12550), 2550),
  "invoice.overdue": async (here) => update("invoices", await here.openInvoice(12550), { status: "overdue" }),
  "invoice.refunded": async (here) => here.reversePayment(await paidInvoice(here), 2550),
  "invoice.disputed": async (here) => here.reversePayment(await paidInvoice(here), 12550, "dispute"),
  "deposit.cleared": async (here) =>
    update("deposits", await here.deposit(), { status: "cleared", collected_via: "offline" }),
};
