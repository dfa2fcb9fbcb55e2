import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { sendDigests } from "../../src/core/mails/send-digests.ts";
import { run } from "../../src/db/query.ts";
import { sendNotices } from "../../src/review/notices/send-notices.ts";
import { dueReminders, dueRemindersAround } from "../../src/review/reminders/due-reminders.ts";
import { servicesOf } from "../../src/services.ts";
import { notifyOwners } from "../../src/webhooks/health/notify-owners.ts";
import { findOverdueAround, makeInvoicesOverdue } from "../../src/work/invoices/make-overdue.ts";
import { watchMails } from "../support/mails.ts";
import { metered } from "../support/metered.ts";
import { makeStudio, type Studio } from "../support/review.ts";
import { insertComments, makeReview } from "../support/reviewer.ts";
import { insertEndpoint } from "../support/settings.ts";
import { makeWorkspace } from "../support/workspace.ts";

async function insertUnsettled({ organizationId, clientId, ownerId }: Studio, count: number, due: string) {
  const ids = JSON.stringify(Array.from({ length: count }, () => crypto.randomUUID()));
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO invoices (id, organization_id, client_id, currency, due_date, subtotal_minor, tax_total_minor,
        total_minor, created_by) SELECT value, ?, ?, 'USD', ?, 100, 0, 100, ? FROM json_each(?)`,
    ).bind(organizationId, clientId, due, ownerId, ids),
    env.DB.prepare(
      `INSERT INTO invoice_line_items (id, organization_id, invoice_id, position, description, quantity,
        unit_price_minor, amount_minor) SELECT 'line-' || id, organization_id, id, 0, 'Work', 1, 100, 100
       FROM invoices WHERE id IN (SELECT value FROM json_each(?))`,
    ).bind(ids),
    env.DB.prepare("UPDATE invoices SET status = 'open' WHERE id IN (SELECT value FROM json_each(?))").bind(
      ids,
    ),
  ]);
}

const countOverdue = ({ organizationId }: Studio) =>
  env.DB.prepare("SELECT count(*) AS n FROM invoices WHERE organization_id = ? AND status = 'overdue'")
    .bind(organizationId)
    .first("n");

it("a workspace with more old invoices than a cron run handles does not delay other workspaces", async () => {
  const [loud, quiet] = [await makeStudio(), await makeStudio()];
  await insertUnsettled(loud, 5_100, "2020-01-31");
  await insertUnsettled(quiet, 1, "2026-01-31");
  expect(await makeInvoicesOverdue(env.DB)).toBe(5_000);
  expect([await countOverdue(loud), await countOverdue(quiet)]).toEqual([4_999, 1]);
  await makeInvoicesOverdue(env.DB);
  expect(await countOverdue(loud)).toBe(5_100);
}, 120_000);

it("the query that takes turns among overdue invoices reads hardly more rows than it returns", async () => {
  const [loud, quiet] = [await makeStudio(), await makeStudio()];
  await insertUnsettled(loud, 600, "2020-01-31");
  await insertUnsettled(quiet, 1, "2026-01-31");
  const look = () => metered(() => run(env.DB, findOverdueAround()));
  const { answer, read } = await look();
  expect([answer.length, read < 8 * 200]).toEqual([200, true]);
  await insertUnsettled(quiet, 600, "2999-01-31");
  expect((await look()).read).toBeLessThanOrEqual(read + 1);
  await makeInvoicesOverdue(env.DB);
}, 120_000);

it("a workspace with more review notices than a cron run sends does not delay other workspaces [N16]", async () => {
  const [loud, quiet] = [await makeReview(), await makeReview()];
  await insertComments(loud.id, { count: 60, age: "-1 hour" });
  await insertComments(quiet.id, { count: 1, age: "-1 minute" });
  watchMails();
  await sendNotices(servicesOf(env), null);
  const { results } = await env.DB.prepare(
    "SELECT count(*) AS due FROM review_notices WHERE deliverable_id = ? AND due_at IS NOT NULL",
  )
    .bind(quiet.id)
    .all();
  expect(results).toEqual([{ due: 0 }]);
});

it("a workspace with more endpoint notices than a cron run sends does not delay other workspaces [N16]", async () => {
  const [loud, quiet] = [await makeWorkspace(), await makeWorkspace()];
  await insertEndpoint(quiet, { notice_due_at: "2026-01-01T00:00:00.000Z" });
  for (let index = 0; index < 50; index += 1)
    await insertEndpoint(loud, { notice_due_at: "2026-01-02T00:00:00.000Z" });
  const mails = watchMails();
  await notifyOwners(servicesOf(env));
  expect(mails.map(({ to }) => to)).toContain(quiet.ownerEmail);
});

it("a workspace with more digests than a cron run sends does not delay other workspaces", async () => {
  const [loud, quiet] = [await makeWorkspace(), await makeWorkspace()];
  const hold = ({ organizationId }: { organizationId: string }, day: string, addresses: string[]) =>
    env.DB.prepare(
      `INSERT INTO mail_counts (day, organization_id, address, held_notices)
       SELECT ?, ?, value, 1 FROM json_each(?)`,
    )
      .bind(day, organizationId, JSON.stringify(addresses))
      .run();
  await hold(
    loud,
    "2026-01-01",
    Array.from({ length: 60 }, (_, index) => `${index}@loud.example`),
  );
  await hold(quiet, "2026-01-02", ["nora@quiet.example"]);
  const mails = watchMails();
  await sendDigests(servicesOf(env));
  expect([mails.length, mails.map(({ to }) => to).indexOf("nora@quiet.example")]).toEqual([50, 1]);
});

const insertReminded = ({ organizationId, clientId, ownerId }: Studio, count: number, dueAt: string) =>
  env.DB.prepare(
    `INSERT INTO deliverables (id, organization_id, client_id, title, share_url, created_by, reminder_due_at)
     SELECT value, ?1, ?2, 'Homepage', 'https://app.example.com/review/' || value, ?3, ?4 FROM json_each(?5)`,
  )
    .bind(
      organizationId,
      clientId,
      ownerId,
      dueAt,
      JSON.stringify(Array.from({ length: count }, () => crypto.randomUUID())),
    )
    .run();

it("a workspace with more due reminders than a cron run sends does not delay other workspaces [N16]", async () => {
  const [loud, full, quiet] = [await makeStudio(), await makeStudio(), await makeStudio()];
  await insertReminded(loud, 100, "2020-01-01T00:00:00.000Z");
  await insertReminded(full, 100, "2019-01-01T00:00:00.000Z");
  await insertReminded(quiet, 1, "2026-01-31T00:00:00.000Z");
  await env.DB.prepare(
    "INSERT INTO mail_counts (day, organization_id, address, mails) VALUES (date('now'), ?, '', 1000000)",
  )
    .bind(full.organizationId)
    .run();
  const oldest = await run(env.DB, dueReminders());
  expect(oldest.map(({ organizationId, mayMail }) => [organizationId, mayMail])).toEqual(
    Array(50).fill([full.organizationId, 0]),
  );
  const look = () => metered(() => run(env.DB, dueRemindersAround()));
  const { answer, read } = await look();
  expect(answer.slice(0, 2).map(({ organizationId }) => organizationId)).toEqual([
    loud.organizationId,
    quiet.organizationId,
  ]);
  expect(answer.every(({ mayMail }) => mayMail === 1)).toBe(true);
  for (const studio of [loud, full, quiet]) await insertReminded(studio, 100, "2999-01-31T00:00:00.000Z");
  await insertReminded(loud, 200, "2020-01-02T00:00:00.000Z");
  await insertReminded(full, 200, "2020-01-02T00:00:00.000Z");
  expect((await look()).read).toBeLessThanOrEqual(read + 3);
});
