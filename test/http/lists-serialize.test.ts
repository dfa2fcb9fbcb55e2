import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import * as z from "zod";
import { run } from "../../src/db/query.ts";
import { serialize } from "../../src/http/serialize.ts";
import { sha256Hex } from "../../src/platform/digest.ts";
import { deliverableResource } from "../../src/review/deliverables/read-deliverables.ts";
import { Deliverable } from "../../src/review/deliverables/record.ts";
import { clientResource } from "../../src/work/clients/read-clients.ts";
import { Client } from "../../src/work/clients/record.ts";
import { invoiceResource } from "../../src/work/invoices/read-invoices.ts";
import { Invoice } from "../../src/work/invoices/record.ts";
import { projectResource } from "../../src/work/projects/read-projects.ts";
import { Project } from "../../src/work/projects/record.ts";
import { timeEntryResource } from "../../src/work/time-entries/read-time-entries.ts";
import { TimeEntry } from "../../src/work/time-entries/record.ts";
import { post } from "../support/partner.ts";
import { makeStudio } from "../support/review.ts";

const lists = [
  { name: "clients", list: clientResource, schema: Client },
  { name: "projects", list: projectResource, schema: Project },
  { name: "time-entries", list: timeEntryResource, schema: TimeEntry },
  { name: "invoices", list: invoiceResource, schema: Invoice },
  { name: "deliverables", list: deliverableResource, schema: Deliverable },
] as const;

it.each(lists)("the database serializes a page of $name according to its schema", async (of) => {
  const studio = await makeStudio({ project: { milestones: [{ name: "Concept", amount: 12.5 }] } });
  const { clientId: client_id, projectId: project_id } = studio;
  const line_items = [{ description: "Concept", quantity: 1.5, unit_price: 99.99, tax_rate: 19 }];
  for (const [path, body] of [
    ["time-entries", { project_id, hours: 1, spent_date: "2026-01-31", hourly_rate: 95 }],
    ["invoices", { client_id, line_items }],
    ["deliverables", { client_id, title: "Concept", embed_url: "https://www.example.com/concept" }],
  ] as const) {
    expect((await post(studio, `/api-v1/${path}`, body)).status).toBe(201);
  }
  const page = of.list.page({ tokenHash: sha256Hex(studio.token), updatedAt: "", id: "", limit: 10 });
  const { records } = await run<{ records: object[] }>(env.DB, page);
  expect(records).toHaveLength(1);
  expect(serialize(z.array(of.schema), records)).toBe(records);
});
