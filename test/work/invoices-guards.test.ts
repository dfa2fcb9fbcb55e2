import { describe, expect, it } from "vitest";
import {
  type FilledWorkspace,
  lineItem,
  makeFilledWorkspace,
  rowById,
  sql,
  update,
  type Values,
} from "../support/filled-workspace.ts";

describe("a draft", () => {
  it("gets its issue date and the organization's next number when it opens", async () => {
    const [here, there] = [await makeFilledWorkspace(), await makeFilledWorkspace()];
    const ids = [await here.openInvoice(100), await here.openInvoice(100), await there.openInvoice(100)];
    const opened = await Promise.all(ids.map((id) => rowById("invoices", id)));
    expect(opened.map(({ number }) => number)).toEqual(["INV-0001", "INV-0002", "INV-0001"]);
    expect(opened[0]?.issue_date).toBe(new Date().toISOString().slice(0, 10));
  });

  it("keeps a given issue date", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.openInvoice(100, { issue_date: "2026-01-01" });
    expect((await rowById("invoices", id)).issue_date).toBe("2026-01-01");
  });

  it("is the only status in which an invoice can be inserted", async () => {
    const here = await makeFilledWorkspace();
    const later: Values[] = [{ status: "open" }, { number: "INV-9" }, { amount_paid_minor: 1 }];
    for (const values of later) {
      await expect(here.draft(100, values)).rejects.toThrow("invoice_starts_as_draft");
    }
  });

  it("cannot open unless its line items add up to the total", async () => {
    const here = await makeFilledWorkspace();
    const [empty, short] = [await here.draft(100), await here.draft(100)];
    await sql("DELETE FROM invoice_line_items WHERE invoice_id = ?", empty);
    await expect(update("invoices", empty, { status: "open" })).rejects.toThrow("invoice_without_line_items");
    await here.own("invoice_line_items", lineItem(short, { position: 1, amount_minor: 1 }));
    await expect(update("invoices", short, { status: "open" })).rejects.toThrow("line_items_not_subtotal");
  });

  it("can be deleted", async () => {
    const here = await makeFilledWorkspace();
    const draft = await here.draft(100);
    await sql("DELETE FROM invoice_line_items WHERE invoice_id = ?", draft);
    await sql("DELETE FROM invoices WHERE id = ?", draft);
  });
});

describe("an invoice's status", () => {
  const states = ["draft", "open", "partially_paid", "overdue", "paid", "void"] as const;
  type State = (typeof states)[number];
  const reach: Record<State, (here: FilledWorkspace) => Promise<string>> = {
    draft: (here) => here.draft(100),
    open: (here) => here.openInvoice(100),
    async partially_paid(here) {
      const id = await here.openInvoice(100);
      await here.pay(id, 40);
      return id;
    },
    async overdue(here) {
      const id = await here.openInvoice(100);
      await update("invoices", id, { status: "overdue" });
      return id;
    },
    async paid(here) {
      const id = await here.openInvoice(100);
      await here.pay(id, 100);
      return id;
    },
    async void(here) {
      const id = await here.openInvoice(100);
      await update("invoices", id, { status: "void" });
      return id;
    },
  };
  const legal = new Set([
    "draft>open",
    "draft>void",
    "open>overdue",
    "open>void",
    "partially_paid>overdue",
    "overdue>void",
  ]);

  it.each(states)("%s can only change to the allowed statuses [M5]", async (from) => {
    const here = await makeFilledWorkspace();
    for (const to of states.filter((state) => state !== from)) {
      const id = await reach[from](here);
      const move = update("invoices", id, { status: to });
      if (legal.has(`${from}>${to}`)) await move;
      else await expect(move, `${from}>${to}`).rejects.toThrow("SQLITE_CONSTRAINT");
      expect((await rowById("invoices", id)).status).toBe(legal.has(`${from}>${to}`) ? to : from);
    }
  });

  it.each(states.filter((state) => state !== "draft"))(
    "%s does not allow the invoice to be deleted",
    async (state) => {
      const id = await reach[state](await makeFilledWorkspace());
      await expect(sql("DELETE FROM invoices WHERE id = ?", id)).rejects.toThrow("invoice_kept");
    },
  );

  it("cannot be set to paid with an UPDATE", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.openInvoice(100);
    const byHand: Values[] = [
      { status: "paid" },
      { status: "paid", amount_paid_minor: 100 },
      { status: "partially_paid", amount_paid_minor: 40 },
      { status: "partially_paid" },
    ];
    for (const values of byHand) {
      await expect(update("invoices", id, values)).rejects.toThrow(
        /invoice_paid_by_payments|amount_paid_not_sum/,
      );
    }
  });

  it("cannot become void after a payment", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.openInvoice(100);
    await here.pay(id, 40);
    await expect(update("invoices", id, { status: "void" })).rejects.toThrow("invoice_with_payments");
  });

  it("becomes paid when an invoice with a total of zero opens", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.openInvoice(0);
    expect(await rowById("invoices", id)).toMatchObject({
      status: "paid",
      number: "INV-0001",
      amount_due_minor: 0,
    });
  });
});

describe("an invoice that is no longer a draft", () => {
  it.each([
    "client_id",
    "currency",
    "subtotal_minor",
    "tax_total_minor",
    "total_minor",
    "issue_date",
    "created_by",
    "number",
  ])("has an immutable %s", async (column) => {
    const here = await makeFilledWorkspace();
    const id = await here.openInvoice(100);
    const other =
      { client_id: await here.client(), currency: "EUR", created_by: await here.member("admin") }[column] ??
      (column.endsWith("_minor") ? 99 : "2026-01-01");
    const values = { project_id: null, [column]: other };
    await expect(update("invoices", id, values)).rejects.toThrow(
      column === "number" ? "invoice_number_kept" : "invoice_frozen",
    );
  });

  it("allows changes to due_date and notes", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.openInvoice(100);
    await update("invoices", id, { due_date: "2026-12-31", notes: "Extended" });
  });

  it("has immutable line items", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.openInvoice(100);
    const frozen = "line_items_frozen";
    await expect(here.own("invoice_line_items", lineItem(id, { position: 1 }))).rejects.toThrow(frozen);
    await expect(
      sql("UPDATE invoice_line_items SET description = 'x' WHERE invoice_id = ?", id),
    ).rejects.toThrow(frozen);
    await expect(sql("DELETE FROM invoice_line_items WHERE invoice_id = ?", id)).rejects.toThrow(frozen);
  });

  it("cannot be changed with INSERT OR REPLACE", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.openInvoice(100);
    await expect(here.draft(100, { id })).rejects.toThrow("row_exists");
  });
});

describe("a payment [M10]", () => {
  it("makes an open invoice partially paid, and paid when the total is covered [M6]", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.openInvoice(100);
    await here.pay(id, 40);
    expect(await rowById("invoices", id)).toMatchObject({
      status: "partially_paid",
      amount_paid_minor: 40,
      amount_due_minor: 60,
    });
    await here.pay(id, 60, "offline");
    expect(await rowById("invoices", id)).toMatchObject({
      status: "paid",
      amount_paid_minor: 100,
      amount_due_minor: 0,
    });
  });

  it("leaves an overdue invoice overdue until the total is covered [M6]", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.openInvoice(100);
    await update("invoices", id, { status: "overdue" });
    await here.pay(id, 40);
    expect((await rowById("invoices", id)).status).toBe("overdue");
    await here.pay(id, 60);
    expect((await rowById("invoices", id)).status).toBe("paid");
  });

  it("is accepted in full even if it exceeds the amount due", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.openInvoice(100);
    await here.pay(id, 150);
    expect(await rowById("invoices", id)).toMatchObject({
      status: "paid",
      amount_paid_minor: 150,
      amount_due_minor: 0,
    });
  });

  it("is rejected on a draft", async () => {
    const here = await makeFilledWorkspace();
    await expect(here.pay(await here.draft(100), 1)).rejects.toThrow("invoice_is_draft");
  });

  it("is recorded with an event even on a paid or void invoice [M7, M8]", async () => {
    const here = await makeFilledWorkspace();
    const [paid, isVoid] = [await here.openInvoice(100), await here.openInvoice(100)];
    await here.pay(paid, 100);
    await update("invoices", isVoid, { status: "void" });
    expect(await rowById("invoices", isVoid)).toMatchObject({ amount_due_minor: 0 });
    for (const id of [paid, isVoid]) await here.pay(id, 30);
    expect(await rowById("invoices", paid)).toMatchObject({
      status: "paid",
      amount_paid_minor: 130,
      amount_due_minor: 0,
    });
    expect(await rowById("invoices", isVoid)).toMatchObject({
      status: "void",
      amount_paid_minor: 30,
      amount_due_minor: 0,
    });
    const told = (await here.events()).slice(-2).map(({ event, data }) => [event, data]);
    expect(told).toMatchObject([
      ["invoice.paid", { status: "paid", previous_status: "paid", amount_received: 0.3, amount_due: 0 }],
      ["invoice.paid", { status: "void", previous_status: "void", amount_received: 0.3, amount_due: 0 }],
    ]);
  });

  it("is immutable", async () => {
    const here = await makeFilledWorkspace();
    const invoice = await here.openInvoice(100);
    const id = await here.pay(invoice, 40);
    await expect(update("payments", id, { amount_minor: 100 })).rejects.toThrow("immutable");
    await expect(sql("DELETE FROM payments WHERE id = ?", id)).rejects.toThrow("immutable");
    await expect(
      sql("INSERT OR REPLACE INTO payments SELECT * FROM payments WHERE id = ?", id),
    ).rejects.toThrow("row_exists");
    await expect(update("invoices", invoice, { amount_paid_minor: 0 })).rejects.toThrow(
      "amount_paid_not_sum",
    );
  });
});

describe("a time entry on a line item", () => {
  it("can be invoiced only once", async () => {
    const here = await makeFilledWorkspace();
    const time_entry_id = await here.timeEntry();
    const [one, other] = [await here.draft(0), await here.draft(0)];
    const line = await here.own("invoice_line_items", lineItem(one, { position: 1, time_entry_id }));
    expect((await rowById("time_entries", time_entry_id)).invoice_id).toBe(one);
    await expect(
      here.own("invoice_line_items", lineItem(other, { position: 1, time_entry_id })),
    ).rejects.toThrow("time_entry_already_invoiced");
    await expect(
      here.own("invoice_line_items", lineItem(one, { position: 2, time_entry_id })),
    ).rejects.toThrow("time_entry_already_invoiced");
    await expect(update("invoice_line_items", line, { time_entry_id: null })).rejects.toThrow(
      "line_item_references_kept",
    );
  });

  it("can be invoiced again after the line item is deleted or the invoice is voided", async () => {
    const here = await makeFilledWorkspace();
    const time_entry_id = await here.timeEntry();
    const invoice = await here.draft(0);
    const line = await here.own("invoice_line_items", lineItem(invoice, { position: 1, time_entry_id }));
    await sql("DELETE FROM invoice_line_items WHERE id = ?", line);
    expect((await rowById("time_entries", time_entry_id)).invoice_id).toBeNull();
    await here.own("invoice_line_items", lineItem(invoice, { position: 1, time_entry_id }));
    await update("invoices", invoice, { status: "void" });
    expect((await rowById("time_entries", time_entry_id)).invoice_id).toBeNull();
  });
});

describe("time entries", () => {
  it("are unique by Idempotency-Key", async () => {
    const here = await makeFilledWorkspace();
    await here.timeEntry({ client_ref: "timer-1" });
    await expect(here.timeEntry({ client_ref: "timer-1" })).rejects.toThrow("UNIQUE constraint failed");
    await (await makeFilledWorkspace()).timeEntry({ client_ref: "timer-1" });
  });

  it("are found through an index when their invoice is voided", async () => {
    const plan = await sql<{ detail: string }>(
      "EXPLAIN QUERY PLAN UPDATE time_entries SET invoice_id = NULL WHERE invoice_id = 'x'",
    );
    expect(plan.map(({ detail }) => detail).join()).toContain("INDEX time_entries_by_invoice");
  });
});
