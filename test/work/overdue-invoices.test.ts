import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { run } from "../../src/db/query.ts";
import { findOverdueInvoices, makeInvoicesOverdue } from "../../src/work/invoices/make-overdue.ts";
import type { Invoice } from "../../src/work/invoices/record.ts";
import worker from "../../src/worker.ts";
import { admin } from "../support/admin.ts";
import { call, post } from "../support/partner.ts";
import { makeStudio, type Studio } from "../support/review.ts";
import { arrived, register } from "../support/webhooks.ts";

const dayMs = 24 * 3600 * 1000;
const day = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

const issued = async (studio: Studio, due_date: string | undefined): Promise<string> => {
  const line_items = [{ description: "Work", quantity: 1, unit_price: 100 }];
  const answer = await post(studio, "/api-v1/invoices", { client_id: studio.clientId, due_date, line_items });
  const { id } = await answer.json<Invoice>();
  await admin(studio, "issue-invoice", { id });
  return id;
};

const statusOf = async (studio: Studio, id: string) =>
  (await (await call(studio, `/api-v1/invoices/${id}`)).json<Invoice>()).status;

describe("the cron job for overdue invoices [M9]", () => {
  it("makes an invoice overdue on the day after the due date", async () => {
    const studio = await makeStudio();
    const [yesterday, today, open] = [
      await issued(studio, day(-1)),
      await issued(studio, day(0)),
      await issued(studio, undefined),
    ];
    await worker.scheduled(createScheduledController(), env);
    expect(await statusOf(studio, yesterday)).toBe("overdue");
    expect(await statusOf(studio, today)).toBe("open");
    expect(await statusOf(studio, open)).toBe("open");
  });

  it("handles invoices in the order of their due dates", async () => {
    const studio = await makeStudio();
    const [newer, oldest] = [await issued(studio, day(-2)), await issued(studio, day(-3))];
    const found = await run(env.DB, findOverdueInvoices());
    expect(found.filter((id) => [newer, oldest].includes(id))).toEqual([oldest, newer]);
  });

  it("makes an invoice overdue only once, with one event, even if it is partially paid", async () => {
    const studio = await makeStudio();
    const id = await issued(studio, day(-3));
    await admin(studio, "record-payment", { invoice: id, amount: "40" });
    await makeInvoicesOverdue(env.DB);
    await makeInvoicesOverdue(env.DB);
    expect(await statusOf(studio, id)).toBe("overdue");
    const { results } = await env.DB.prepare(
      `SELECT json_extract(payload, '$.data.previous_status') AS previous_status FROM events
        WHERE subject_id = ? AND event = 'invoice.overdue'`,
    )
      .bind(id)
      .all();
    expect(results).toEqual([{ previous_status: "partially_paid" }]);
  });

  it("skips invoices that are paid in full", async () => {
    const studio = await makeStudio();
    const id = await issued(studio, day(-3));
    await makeInvoicesOverdue(env.DB);
    await admin(studio, "record-payment", { invoice: id, amount: "40" });
    expect(await statusOf(studio, id)).toBe("overdue");
    await admin(studio, "mark-invoice-paid", { id });
    await makeInvoicesOverdue(env.DB);
    expect(await statusOf(studio, id)).toBe("paid");
  });

  it("runs in several batches and skips drafts", async () => {
    const studio = await makeStudio();
    await issued(studio, day(-1));
    await makeInvoicesOverdue(env.DB);
    const many = 250;
    const { organizationId, clientId, ownerId } = studio;
    const numbers = JSON.stringify(Array.from({ length: many + 1 }, (_, index) => index));
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO invoices (id, organization_id, client_id, currency, due_date, subtotal_minor,
          tax_total_minor, total_minor, created_by)
SELECT 'many-' || value, ?, ?, 'USD', ?, 100, 0, 100, ? FROM json_each(?)`,
      ).bind(organizationId, clientId, day(-5), ownerId, numbers),
      env.DB.prepare(
        `INSERT INTO invoice_line_items (id, organization_id, invoice_id, position, description, quantity,
          unit_price_minor, amount_minor) SELECT 'line-' || id, organization_id, id, 0, 'Work', 1, 100, 100
          FROM invoices WHERE id LIKE 'many-%'`,
      ),
      env.DB.prepare("UPDATE invoices SET status = 'open' WHERE id LIKE 'many-%' AND id <> 'many-0'"),
    ]);
    expect(await makeInvoicesOverdue(env.DB)).toBe(many);
    const draft = await env.DB.prepare("SELECT status FROM invoices WHERE id = 'many-0'").first("status");
    expect(draft).toBe("draft");
  });

  it("skips an invoice that is voided between the read and the update", async () => {
    const studio = await makeStudio();
    const id = await issued(studio, day(-3));
    const batch = env.DB.batch.bind(env.DB);
    const spy = vi.spyOn(env.DB, "batch").mockImplementationOnce(async (statements) => {
      const found = await batch(statements);
      await env.DB.prepare("UPDATE invoices SET status = 'void' WHERE id = ?").bind(id).run();
      return found as never;
    });
    await makeInvoicesOverdue(env.DB);
    spy.mockRestore();
    expect(await statusOf(studio, id)).toBe("void");
  });

  it("notifies receivers in the same run", async () => {
    const studio = await makeStudio();
    await issued(studio, day(-3));
    const endpoint = await register(studio);
    await worker.scheduled(createScheduledController(), env);
    expect(await arrived(endpoint)).toMatchObject([{ headers: { "x-svc-event": "invoice.overdue" } }]);
  });

  it("reads hardly more rows than there are due invoices", async () => {
    const studio = await makeStudio();
    for (let index = 0; index < 10; index += 1) await issued(studio, day(30));
    await makeInvoicesOverdue(env.DB);
    const { meta } = await env.DB.prepare(
      `SELECT id FROM invoices WHERE status IN ('open', 'partially_paid') AND due_date IS NOT NULL
        AND due_date < date('now') ORDER BY due_date LIMIT 200`,
    ).run();
    expect(meta.rows_read).toBeLessThanOrEqual(1);
  });
});
