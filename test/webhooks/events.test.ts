import { describe, expect, it } from "vitest";
import {
  type FilledWorkspace,
  makeFilledWorkspace,
  rowById,
  update,
  type Values,
} from "../support/filled-workspace.ts";

const about = (here: FilledWorkspace) => ({
  client_id: here.clientId,
  client_name: "Acme",
  project_id: here.projectId,
  project_name: "Relaunch",
});

describe("deliverable events", () => {
  const deliverable = (here: FilledWorkspace, id: string) => ({
    deliverable_id: id,
    title: "Homepage 1",
    version_number: 1,
    ...about(here),
  });

  it("feedback.created includes the resulting review state, but not the client's text", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable();
    const feedback_id = await here.feedback(id, "change_request");
    expect(await here.events()).toEqual([
      {
        event: "feedback.created",
        created_at: (await rowById("feedback", feedback_id)).created_at,
        data: {
          ...deliverable(here, id),
          review_state: "changes_requested",
          feedback_id,
          anchor: null,
          kind: "change_request",
          author_name: "Ada",
        },
      },
    ]);
  });

  it("signoff.recorded is recorded once for a sign-off", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable();
    await here.signOff(id);
    expect(await here.events()).toEqual([
      {
        event: "signoff.recorded",
        created_at: (await rowById("deliverables", id)).signed_off_at,
        data: { ...deliverable(here, id), review_state: "approved", signer_name: "Ada" },
      },
    ]);
  });

  it("signoff.recorded is recorded once for UPDATE deliverables SET current_state = 'signed_off'", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable();
    await update("deliverables", id, { current_state: "signed_off" });
    expect(await here.events()).toMatchObject([
      { event: "signoff.recorded", data: { review_state: "approved", signer_name: null } },
    ]);
  });

  it("deliverable.sent is recorded for every send, with the sent version", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable();
    const sent_at = "2026-01-31T09:30:00.000Z";
    await here.send(id, 1, { sent_at });
    await here.version(id, 2);
    await here.send(id, 2, { sent_at });
    const [first, second] = await here.events();
    expect(first).toEqual({
      event: "deliverable.sent",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { ...deliverable(here, id), review_state: "in_review", sent_at },
    });
    expect(second?.data).toMatchObject({ title: "Homepage 2", version_number: 2, review_state: "in_review" });
  });

  it("deliverable.sent is recorded once for UPDATE deliverables SET sent_at", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable();
    await update("deliverables", id, { sent_at: "2026-01-31T09:30:00.000Z" });
    await update("deliverables", id, { sent_at: "2026-01-31T09:30:00.000Z", status_label: "x" });
    await update("deliverables", id, { sent_at: "2026-02-01T09:30:00.000Z" });
    expect((await here.events()).map(({ data }) => data.sent_at)).toEqual([
      "2026-01-31T09:30:00.000Z",
      "2026-02-01T09:30:00.000Z",
    ]);
  });

  it("have a null project_id and an empty project_name without a project", async () => {
    const here = await makeFilledWorkspace();
    await here.send(await here.deliverable({ project_id: null }));
    expect(await here.events()).toMatchObject([{ data: { project_id: null, project_name: "" } }]);
  });
});

describe("an e-mail address in a name or title is shortened to the part before the @ [W7]", () => {
  it.each([
    ["mara@acme.example", "mara"],
    ["Mara <mara.l@mail.acme.example>", "Mara <mara.l"],
    ["mara@acme.example (Acme)", "mara (Acme)"],
    ["Cafe @ Work", "Cafe @ Work"],
    ["@acme", "@acme"],
    ["Sound@Vision", "Sound@Vision"],
    ["Meet @ 5.30", "Meet @ 5.30"],
    ["anna@x.example, bob@y.example", "anna bob"],
    ["Cafe @ Work anna@x.example", "Cafe @ Work anna"],
    ["@handle  anna@x.example", "@handle  anna"],
    ['"A@b.c" \\ [x]', '"A \\ [x]'],
  ])("%s becomes %s in every payload", async (name, left) => {
    const here = await makeFilledWorkspace();
    await update("clients", here.clientId, { company_name: name });
    await update("projects", here.projectId, { name });
    const deliverable_id = await here.deliverable({ title: name });
    await here.own("feedback", {
      deliverable_id,
      version_number: 1,
      kind: "comment",
      body: "x",
      author_name: name,
    });
    await here.own("sign_offs", { deliverable_id, version_number: 1, signer_name: name });
    await here.openInvoice(100);
    await here.changeOrder({ status: "sent", title: name });
    await here.changeDecision({ status: "sent", title: name });
    await here.deposit({ status: "cleared", collected_via: "offline" });
    const events = await here.events();
    expect(events).toHaveLength(6);
    for (const { data } of events) expect(data).toMatchObject({ client_name: left, project_name: left });
    expect(events[0]?.data.author_name).toBe(left);
    expect(events[1]?.data.signer_name).toBe(left);
    const titles = events.flatMap(({ data }) => data.title ?? []);
    expect(titles).toEqual([left, left, left, left]);
  });
});

describe("money events", () => {
  it("invoice.sent is recorded for UPDATE invoices SET status = 'open' [M12, W1]", async () => {
    const here = await makeFilledWorkspace();
    const invoice_id = await here.draft(119900, { due_date: "2026-12-31" });
    await update("invoices", invoice_id, { status: "open" });
    const { issue_date } = await rowById("invoices", invoice_id);
    expect((await here.events()).map(({ event, data }) => ({ event, data }))).toEqual([
      {
        event: "invoice.sent",
        data: {
          invoice_id,
          number: "INV-0001",
          status: "open",
          previous_status: "draft",
          currency: "USD",
          total: 1199,
          amount_paid: 0,
          amount_due: 1199,
          issue_date,
          due_date: "2026-12-31",
          ...about(here),
        },
      },
    ]);
  });

  it("invoice.paid is recorded for every payment, with exactly the documented fields [W5]", async () => {
    const here = await makeFilledWorkspace();
    const invoice_id = await here.openInvoice(119999);
    await here.pay(invoice_id, 20010);
    await here.pay(invoice_id, 99989, "offline");
    const common = {
      invoice_id,
      number: "INV-0001",
      currency: "USD",
      total: 1199.99,
      client_name: "Acme",
      project_name: "Relaunch",
    };
    const [, first, second] = await here.events();
    expect(first?.event).toBe("invoice.paid");
    expect(first?.data).toEqual({
      ...common,
      status: "partially_paid",
      amount_paid: 200.1,
      amount_due: 999.89,
      amount_received: 200.1,
      previous_status: "open",
      collected_via: "stripe",
    });
    expect(second?.data).toEqual({
      ...common,
      status: "paid",
      amount_paid: 1199.99,
      amount_due: 0,
      amount_received: 999.89,
      previous_status: "partially_paid",
      collected_via: "offline",
    });
  });

  it("invoice.paid is recorded when an invoice with a total of zero opens", async () => {
    const here = await makeFilledWorkspace();
    await here.openInvoice(0, { project_id: null });
    expect(await here.events()).toMatchObject([
      { event: "invoice.sent", data: { status: "open" } },
      {
        event: "invoice.paid",
        data: {
          status: "paid",
          previous_status: "open",
          amount_received: 0,
          collected_via: "offline",
          project_name: "",
        },
      },
    ]);
  });

  it.each([
    ["JPY", 1500, 1500],
    ["KWD", 1500, 1.5],
  ])("contain amounts as decimals of %s", async (currency, minor, decimal) => {
    const here = await makeFilledWorkspace();
    await here.openInvoice(minor, { currency });
    expect(await here.events()).toMatchObject([{ data: { currency, total: decimal } }]);
  });

  it("invoice.overdue is recorded once", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.openInvoice(100);
    await update("invoices", id, { status: "overdue" });
    await update("invoices", id, { status: "overdue" });
    const [, ...events] = await here.events();
    expect(events).toMatchObject([
      {
        event: "invoice.overdue",
        data: { invoice_id: id, number: "INV-0001", status: "overdue", previous_status: "open" },
      },
    ]);
  });

  it.each(["by UPDATE", "recorded as cleared"])(
    "deposit.cleared is recorded for a deposit that is cleared: %s",
    async (how) => {
      const here = await makeFilledWorkspace();
      const at: Values = how === "by UPDATE" ? {} : { status: "cleared", collected_via: "stripe" };
      const deposit_id = await here.deposit(at);
      if (how === "by UPDATE")
        await update("deposits", deposit_id, { status: "cleared", collected_via: "stripe" });
      expect((await here.events()).map(({ event, data }) => ({ event, data }))).toEqual([
        {
          event: "deposit.cleared",
          data: {
            deposit_id,
            status: "cleared",
            previous_status: "pending",
            currency: "USD",
            amount: 500,
            collected_via: "stripe",
            ...about(here),
          },
        },
      ]);
    },
  );
});

describe("scope and change events", () => {
  const moves = [
    ["sent", "draft"],
    ["signed", "sent"],
    ["declined", "sent"],
  ] as const;

  it.each(moves)("change_order.%s is recorded", async (status, previous_status) => {
    const here = await makeFilledWorkspace();
    const change_order_id = await here.changeOrder();
    await update("change_orders", change_order_id, { status: "sent" });
    if (status !== "sent") await update("change_orders", change_order_id, { status });
    const last = (await here.events()).at(-1);
    expect(last?.event).toBe(`change_order.${status}`);
    expect(last?.data).toEqual({
      change_order_id,
      title: "Second language",
      status,
      previous_status,
      currency: "USD",
      amount: 1200.5,
      ...about(here),
    });
  });

  it.each(["decision", "milestone_gate"])("change_decision.sent is recorded for a %s", async (kind) => {
    const here = await makeFilledWorkspace();
    const change_decision_id = await here.changeDecision({ kind });
    await update("change_decisions", change_decision_id, { status: "sent" });
    expect((await here.events()).map(({ event, data }) => ({ event, data }))).toEqual([
      {
        event: "change_decision.sent",
        data: {
          change_decision_id,
          title: "Use the blue one",
          kind,
          status: "sent",
          previous_status: "draft",
          ...about(here),
        },
      },
    ]);
  });

  it("are recorded even if the record is already sent when it is inserted", async () => {
    const here = await makeFilledWorkspace();
    await here.changeOrder({ status: "sent" });
    await here.changeDecision({ status: "sent" });
    expect((await here.events()).map(({ event }) => event)).toEqual([
      "change_order.sent",
      "change_decision.sent",
    ]);
  });
});
