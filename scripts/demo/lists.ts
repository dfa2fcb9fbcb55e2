import assert from "node:assert/strict";
import type { components } from "../../client/src/index.ts";
import type { DemoContext } from "./context.ts";

type Resource<Name extends keyof components["schemas"]> = components["schemas"][Name];

export interface Found {
  northwind: Resource<"Client">;
  relaunch: Resource<"Project">;
  deliverables: Resource<"Deliverable">[];
}

export async function listEverything({ api, step }: DemoContext): Promise<Found> {
  let northwind: Resource<"Client"> | undefined;
  let relaunch: Resource<"Project"> | undefined;
  let deliverables: Resource<"Deliverable">[] = [];

  await step("List clients", async () => {
    const clients = await all(api.clients.list());
    northwind = clients.find(({ name }) => name === "Northwind Outdoor");
    assert.ok(northwind);
    return clients
      .map(({ name, email, is_sample }) => `${name} (${is_sample ? "sample" : (email ?? "no e-mail")})`)
      .join(", ");
  });

  await step("List projects with their milestones, page by page", async () => {
    const projects = await all(api.projects.list({ limit: 5 }));
    relaunch = projects.find(({ name }) => name === "Website relaunch");
    assert.equal(relaunch?.milestones.length, 3);
    return projects
      .map(
        ({ name, included_revision_rounds: rounds }) => `${name} (revision rounds: ${rounds ?? "unlimited"})`,
      )
      .join(", ");
  });

  await step("List invoices with every status", async () => {
    const statuses = (await all(api.invoices.list())).map(({ status }) => status);
    const states = [...new Set(statuses)].sort();
    assert.deepEqual(states, ["draft", "open", "overdue", "paid", "partially_paid", "void"]);
    return states.map((state) => `${statuses.filter((one) => one === state).length} ${state}`).join(", ");
  });

  await step("List deliverables in every review state", async () => {
    deliverables = await all(api.deliverables.list());
    const states = new Set(deliverables.map(({ review_state }) => review_state));
    assert.deepEqual([...states].sort(), ["approved", "changes_requested", "draft", "in_review"]);
    return deliverables.map(({ title, review_state }) => `${title}: ${review_state}`).join("\n");
  });

  await step("List only records that changed since then", async () => {
    const updated_since = new Date(Date.now() + 3_600_000).toISOString();
    assert.deepEqual(await all(api.timeEntries.list({ updated_since })), []);
    return undefined;
  });

  assert.ok(northwind && relaunch);
  return { northwind, relaunch, deliverables };
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const records: T[] = [];
  for await (const record of list) records.push(record);
  return records;
}
