import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { admin } from "../support/admin.ts";
import { post } from "../support/partner.ts";
import { makeDeliverable, makeStudio, type Studio } from "../support/review.ts";
import { register } from "../support/webhooks.ts";
import { makePlan } from "../support/workspace.ts";

const query = (text: string, ...values: unknown[]) =>
  env.DB.prepare(text)
    .bind(...values)
    .all<Record<string, number>>();

const databaseBytes = async () => (await query("SELECT 1")).meta.size_after;

/** Fills the free pages left by earlier tests, which would hide the database's growth. */
async function fillFreePages(): Promise<void> {
  await query("CREATE TABLE ballast (bytes BLOB)");
  for (const before = await databaseBytes(); (await databaseBytes()) === before; )
    await query("INSERT INTO ballast VALUES (zeroblob(100000))");
}

const counted = async ({ organizationId }: Studio) =>
  (await query("SELECT record_count FROM organizations WHERE id = ?", organizationId)).results[0]
    ?.record_count ?? 0;

async function created(studio: Studio, path: string, body: object): Promise<string> {
  const answer = await post(studio, `/api-v1/${path}`, body);
  if (answer.status !== 201) throw new Error(await answer.text());
  return (await answer.json<{ id: string }>()).id;
}

/** Records a client's month at an agency: mostly time entries, plus invoices and reviews. */
async function workFor(studio: Studio, number: number): Promise<void> {
  const client_id = await created(studio, "clients", {
    company_name: `Northwind Outdoor ${number}`,
    client_name: "Mara Lindqvist",
    email: `mara@northwind-${number}.example`,
    external_id: `crm-${number}`,
  });
  const project_id = await created(studio, "projects", { client_id, name: `Relaunch ${number}` });
  for (const hours of [1, 2.5, 4, 0.5, 3, 8])
    await created(studio, "time-entries", {
      project_id,
      spent_date: "2026-01-31",
      hours,
      description: "Wireframes of the checkout, second round",
    });
  const line_items = ["Design", "Development"].map((description) => ({
    ...{ description, quantity: 8, unit_price: 95 },
  }));
  const id = await created(studio, "invoices", { client_id, project_id, line_items });
  await admin(studio, "issue-invoice", { id });
  await admin(studio, "record-payment", { invoice: id, amount: "100", collected_via: "offline" });
  const deliverable = await makeDeliverable(studio, { client_id, project_id });
  await created(studio, `deliverables/${deliverable}/versions`, { note: "The second round, in blue" });
  const feedback = { kind: "comment", body: "The picture could be larger", author_name: "Mara Lindqvist" };
  await admin(studio, "record-feedback", { deliverable, ...feedback });
}

it("a record occupies the estimated bytes, including its ledger, events and audit log entries [O16]", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const studio = await makeStudio({ plan: await makePlan(1_000_000) });
  await register(studio);
  await fillFreePages();
  const [bytes, records] = [await databaseBytes(), await counted(studio)];
  for (let number = 0; number < 60; number += 1) await workFor(studio, number);
  const grown = { bytes: (await databaseBytes()) - bytes, records: (await counted(studio)) - records };
  await query("DROP TABLE ballast");
  expect(grown.records).toBeGreaterThan(700);
  expect(grown.bytes / grown.records / limits.bytesOfRecord).toBeGreaterThan(0.85);
  expect(grown.bytes / grown.records / limits.bytesOfRecord).toBeLessThan(1.15);
}, 300_000);
