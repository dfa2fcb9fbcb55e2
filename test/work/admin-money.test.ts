import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Invoice } from "../../src/work/invoices/record.ts";
import { admin, refusal } from "../support/admin.ts";
import { call, post } from "../support/partner.ts";
import { makeStudio, type Studio } from "../support/review.ts";
import type { Workspace } from "../support/workspace.ts";

const draft = async (studio: Studio, fields: object = {}): Promise<Invoice> => {
  const line_items = [{ description: "Work", quantity: 2, unit_price: 50 }];
  const answer = await post(studio, "/api-v1/invoices", {
    client_id: studio.clientId,
    line_items,
    ...fields,
  });
  expect(answer.status).toBe(201);
  return answer.json();
};

const read = async (workspace: Workspace, id: string): Promise<Invoice> =>
  (await call(workspace, `/api-v1/invoices/${id}`)).json();

/** Admins' actions in the audit log. Records that a test creates through the API have other entries. */
const actions = async (workspace: Workspace) =>
  (await admin<{ action: string }[]>(workspace, "audit-log"))
    .map(({ action }) => action)
    .filter((action) => !action.endsWith(".created"))
    .reverse();

const events = async ({ organizationId }: Workspace) =>
  (
    await env.DB.prepare("SELECT event FROM events WHERE organization_id = ? ORDER BY rowid")
      .bind(organizationId)
      .all<{ event: string }>()
  ).results.map(({ event }) => event);

describe("operations on invoices", () => {
  it("issue-invoice opens a draft with a number and an issue date [M4]", async () => {
    const studio = await makeStudio();
    const { id } = await draft(studio);
    const issued = await admin<Invoice>(studio, "issue-invoice", { id });
    expect(issued).toMatchObject({ id, status: "open", number: "INV-0001", amount_due: 100 });
    expect(issued.issue_date).toBe(new Date().toISOString().slice(0, 10));
    expect(await read(studio, id)).toEqual(issued);
    expect(await refusal(studio, "issue-invoice", { id })).toEqual({
      message: "This invoice is open. Only a draft can be issued",
      hint: null,
    });
    expect(await actions(studio)).toEqual(["invoice.issued"]);
    expect(await events(studio)).toEqual(["invoice.sent"]);
  });

  it("record-payment makes an invoice partially_paid, and paid when the total is covered", async () => {
    const studio = await makeStudio();
    const { id } = await draft(studio);
    await admin(studio, "issue-invoice", { id });
    const pay = (amount: string) =>
      admin(studio, "record-payment", { invoice: id, amount, collected_via: "stripe" });
    expect(await pay("30.5")).toMatchObject({
      invoice_id: id,
      amount: 30.5,
      currency: "USD",
      collected_via: "stripe",
      invoice: { id, status: "partially_paid", amount_paid: 30.5, amount_due: 69.5 },
    });
    expect(await pay("69.5")).toMatchObject({ invoice: { status: "paid", amount_due: 0 } });
    expect(await events(studio)).toEqual(["invoice.sent", "invoice.paid", "invoice.paid"]);
    expect(await pay("1")).toMatchObject({ invoice: { status: "paid", amount_paid: 101, amount_due: 0 } });
  });

  it("mark-invoice-paid pays the amount due only once", async () => {
    const studio = await makeStudio();
    const { id } = await draft(studio);
    const notIssued = {
      message: "This invoice is a draft and cannot receive payments",
      hint: "issue it first",
    };
    expect(await refusal(studio, "mark-invoice-paid", { id })).toEqual(notIssued);
    expect(await refusal(studio, "record-payment", { invoice: id, amount: "1" })).toEqual(notIssued);
    await admin(studio, "issue-invoice", { id });
    await admin(studio, "record-payment", { invoice: id, amount: "25" });
    expect(await admin(studio, "mark-invoice-paid", { id })).toMatchObject({
      id,
      status: "paid",
      amount_paid: 100,
    });
    expect(await refusal(studio, "mark-invoice-paid", { id })).toEqual({
      message: "This invoice is paid, so nothing is due",
      hint: null,
    });
  });

  it("record-payment leaves an overdue invoice overdue until it is paid", async () => {
    const studio = await makeStudio();
    const { id } = await draft(studio);
    await admin(studio, "issue-invoice", { id });
    await env.DB.prepare("UPDATE invoices SET status = 'overdue' WHERE id = ?").bind(id).run();
    expect(await admin(studio, "record-payment", { invoice: id, amount: "1" })).toMatchObject({
      invoice: { status: "overdue", amount_paid: 1 },
    });
    expect(await admin(studio, "mark-invoice-paid", { id })).toMatchObject({ status: "paid" });
  });

  it("void-invoice allows another invoice to bill the voided invoice's time entries", async () => {
    const studio = await makeStudio();
    const entry = await post(studio, "/api-v1/time-entries", {
      project_id: studio.projectId,
      hours: 2,
      spent_date: "2026-01-31",
    });
    const { id: time_entry_id } = await entry.json<{ id: string }>();
    const billing = {
      client_id: studio.clientId,
      line_items: [{ description: "Work", quantity: 2, unit_price: 50, time_entry_id }],
    };
    const { id } = await draft(studio, billing);
    expect((await post(studio, "/api-v1/invoices", billing)).status).toBe(400);
    expect(await admin(studio, "void-invoice", { id })).toMatchObject({ id, status: "void" });
    expect((await draft(studio, billing)).line_items).toMatchObject([{ time_entry_id }]);
    expect((await refusal(studio, "issue-invoice", { id })).message).toContain("This invoice is void");
  });

  it("void-invoice accepts an overdue invoice, but rejects an invoice with a payment", async () => {
    const studio = await makeStudio();
    const [unpaid, paidOn] = [await draft(studio), await draft(studio)];
    for (const { id } of [unpaid, paidOn]) await admin(studio, "issue-invoice", { id });
    await admin(studio, "record-payment", { invoice: paidOn.id, amount: "1" });
    await env.DB.prepare("UPDATE invoices SET status = 'overdue' WHERE id = ?").bind(unpaid.id).run();
    expect(await admin(studio, "void-invoice", { id: unpaid.id })).toMatchObject({ status: "void" });
    expect((await refusal(studio, "void-invoice", { id: paidOn.id })).message).toBe(
      "This invoice is partially_paid. Only an unpaid draft, open or overdue invoice can be voided",
    );
    expect(await actions(studio)).toEqual([
      "invoice.issued",
      "invoice.issued",
      "payment.recorded",
      "invoice.voided",
    ]);
  });

  it.each([
    ["more digits than the currency has", { amount: "1.005" }, "amount has more digits than USD"],
    ["zero", { amount: "0" }, "amount must be more than 0"],
    ["a negative amount", { amount: "-5" }, "amount must be more than 0"],
    ["text", { amount: "lots" }, "amount must be a number"],
    [
      "an unknown payment method",
      { amount: "1", collected_via: "cash" },
      "collected_via must be one of stripe, offline",
    ],
  ])("record-payment rejects %s [M11]", async (_, fields, message) => {
    const studio = await makeStudio();
    const { id } = await draft(studio);
    await admin(studio, "issue-invoice", { id });
    expect((await refusal(studio, "record-payment", { invoice: id, ...fields })).message).toBe(message);
  });

  it("the audit log shows each action with its payment method and payment", async () => {
    const studio = await makeStudio();
    const { id } = await draft(studio);
    await admin(studio, "issue-invoice", { id });
    const { id: payment_id } = await admin<{ id: string }>(studio, "record-payment", {
      invoice: id,
      amount: "99.99",
    });
    expect(await admin(studio, "mark-invoice-paid", { id })).toMatchObject({
      status: "paid",
      amount_paid: 100,
    });
    const project = studio.projectId;
    const order = await admin<{ id: string }>(studio, "create-change-order", {
      project,
      title: "More",
      amount: "1",
    });
    const deposit = await admin<{ id: string }>(studio, "create-deposit", { project, amount: "1" });
    await admin(studio, "clear-deposit", { id: deposit.id, collected_via: "stripe" });
    const log = await admin<{ action: string; subject_id: string; details: object }[]>(studio, "audit-log");
    const lines = log.slice(0, 5).map(({ action, subject_id, details }) => [action, subject_id, details]);
    expect(lines).toMatchObject([
      ["deposit.cleared", deposit.id, { collected_via: "stripe" }],
      ["deposit.created", deposit.id, { project_id: project }],
      ["change_order.created", order.id, { project_id: project, title: "More" }],
      ["payment.recorded", id, { payment_id: expect.any(String), collected_via: "offline" }],
      ["payment.recorded", id, { payment_id, collected_via: "offline" }],
    ]);
  });

  it("every operation rejects another workspace's invoice", async () => {
    const [mine, other] = [await makeStudio(), await makeStudio()];
    const { id } = await draft(mine);
    for (const [operation, fields] of [
      ["issue-invoice", { id }],
      ["void-invoice", { id }],
      ["mark-invoice-paid", { id }],
      ["record-payment", { invoice: id, amount: "1" }],
    ] as const) {
      expect((await refusal(other, operation, fields)).message).toBe(
        `There is no invoice ${id} in this workspace`,
      );
    }
    expect((await read(mine, id)).status).toBe("draft");
  });

  it("two concurrent mark-invoice-paid calls record only one payment", async () => {
    const studio = await makeStudio();
    const { id } = await draft(studio);
    await admin(studio, "issue-invoice", { id });
    const marks = [1, 2].map(() => admin(studio, "mark-invoice-paid", { id }).catch((error: Error) => error));
    const outcomes = await Promise.all(marks);
    const [refused, ...others] = outcomes.filter((outcome) => outcome instanceof Error);
    expect([String(refused), others]).toEqual([
      expect.stringContaining("This invoice is paid, so nothing is due"),
      [],
    ]);
    expect(await read(studio, id)).toMatchObject({ status: "paid", amount_paid: 100 });
  });
});

describe("operations on change orders, change decisions and deposits", () => {
  it("a change order can go only from draft to sent, and then to signed or declined", async () => {
    const studio = await makeStudio();
    const make = () =>
      admin<{ id: string }>(studio, "create-change-order", {
        project: studio.projectId,
        title: "More pages",
        amount: "1200.50",
      });
    const first = await make();
    expect(first).toEqual({
      id: expect.any(String),
      project_id: studio.projectId,
      title: "More pages",
      amount: 1200.5,
      currency: "USD",
      status: "draft",
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await refusal(studio, "sign-change-order", first)).message).toContain("id");
    const { id } = first;
    expect((await refusal(studio, "sign-change-order", { id })).message).toBe(
      "This change order is draft. Only a sent change order can be signed",
    );
    expect(await admin(studio, "send-change-order", { id })).toMatchObject({ status: "sent" });
    expect((await refusal(studio, "send-change-order", { id })).message).toContain(
      "This change order is sent",
    );
    expect(await admin(studio, "sign-change-order", { id })).toMatchObject({ status: "signed" });
    expect((await refusal(studio, "decline-change-order", { id })).message).toContain("is signed");
    const second = await make();
    await admin(studio, "send-change-order", { id: second.id });
    expect(await admin(studio, "decline-change-order", { id: second.id })).toMatchObject({
      status: "declined",
    });
    expect(await events(studio)).toEqual([
      "change_order.sent",
      "change_order.signed",
      "change_order.sent",
      "change_order.declined",
    ]);
  });

  it("send-change-decision sends a decision or a milestone gate", async () => {
    const studio = await makeStudio();
    const fields = { project: studio.projectId, title: "Which logo?" };
    expect(await admin(studio, "send-change-decision", fields)).toMatchObject({
      kind: "decision",
      status: "sent",
    });
    expect(await admin(studio, "send-change-decision", { ...fields, kind: "milestone_gate" })).toMatchObject({
      kind: "milestone_gate",
    });
    expect(await events(studio)).toEqual(["change_decision.sent", "change_decision.sent"]);
  });

  it("clear-deposit clears a deposit once and releases the kickoff", async () => {
    const studio = await makeStudio({ currency: "JPY" });
    const made = await admin<{ id: string }>(studio, "create-deposit", {
      project: studio.projectId,
      amount: "50000",
    });
    expect(made).toMatchObject({ amount: 50_000, currency: "JPY", status: "pending", collected_via: null });
    const { id } = made;
    expect(await admin(studio, "clear-deposit", { id, collected_via: "stripe" })).toMatchObject({
      status: "cleared",
      collected_via: "stripe",
      cleared_at: expect.any(String),
    });
    expect((await refusal(studio, "clear-deposit", { id })).message).toBe("This deposit has already cleared");
    expect(await events(studio)).toEqual(["deposit.cleared"]);
    const project = await env.DB.prepare("SELECT kickoff_released_at FROM projects WHERE id = ?")
      .bind(studio.projectId)
      .first();
    expect(project?.kickoff_released_at).toEqual(expect.any(String));
    expect(
      (await refusal(studio, "create-deposit", { project: studio.projectId, amount: "1.5" })).message,
    ).toBe("amount has more digits than JPY");
  });

  it.each([
    ["create-change-order", { title: "x", amount: "1" }],
    ["send-change-decision", { title: "x" }],
    ["create-deposit", { amount: "1" }],
  ])("%s rejects another workspace's project", async (operation, fields) => {
    const [mine, other] = [await makeStudio(), await makeStudio()];
    expect((await refusal(mine, operation, { project: other.projectId, ...fields })).message).toBe(
      `There is no project ${other.projectId} in this workspace`,
    );
  });

  it.each(["send-change-order", "sign-change-order", "decline-change-order", "clear-deposit"])(
    "%s rejects an unknown id",
    async (operation) => {
      const id = crypto.randomUUID();
      expect((await refusal(await makeStudio(), operation, { id })).message).toContain(
        `${id} in this workspace`,
      );
    },
  );
});
