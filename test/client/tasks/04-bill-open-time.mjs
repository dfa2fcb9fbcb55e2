// Draft an invoice for all unbilled time of a project. Pages: invoices.md, listTimeEntries.md, createInvoice.md
import assert from "node:assert/strict";
import { listAll, readJson, writeJson } from "./connect.mjs";

const client = await writeJson("/api-v1/clients", { company_name: "Harbour Books" });
const project = await writeJson("/api-v1/projects", { client_id: client.id, name: "Shop window" });
for (const hours of [2, 0.75])
  await writeJson("/api-v1/time-entries", {
    project_id: project.id,
    hours,
    spent_date: "2026-01-31",
    hourly_rate: 80,
  });

const line_items = [];
for await (const entry of listAll(`/api-v1/time-entries?project_id=${project.id}&invoiced=false`))
  line_items.push({
    description: entry.description ?? `Work on ${entry.spent_date}`,
    quantity: entry.hours,
    unit_price: entry.hourly_rate,
    time_entry_id: entry.id,
  });
const invoice = await writeJson("/api-v1/invoices", {
  client_id: client.id,
  project_id: project.id,
  line_items,
});
assert.deepEqual([invoice.status, invoice.number, invoice.total], ["draft", null, 220]);
const left = await readJson(`/api-v1/time-entries?project_id=${project.id}&invoiced=false`);
assert.deepEqual(left.data, []);
console.log(`done: a draft over ${invoice.total} ${invoice.currency}`);
