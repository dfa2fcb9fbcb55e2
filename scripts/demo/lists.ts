import assert from "node:assert/strict";
import { type Body, expectAnswer, type Stage } from "./stage.ts";

/** What later steps refer to, found by listing. */
export interface Found {
  northwind: Body;
  relaunch: Body;
  deliverables: Body[];
}

/** A partner lists what the workspace holds. */
export async function listEverything({ call, step }: Stage): Promise<Found> {
  const found = { deliverables: [] } as unknown as Found;

  const list = async (path: string): Promise<Body[]> => {
    const answer = await call(path);
    expectAnswer(answer, 200);
    return answer.body.data;
  };

  await step("List clients", async () => {
    const clients = await list("/api-v1/clients");
    found.northwind = clients.find(({ name }) => name === "Northwind Outdoor");
    assert.ok(found.northwind);
    return clients
      .map(({ name, email, is_sample }) => `${name} (${is_sample ? "sample" : (email ?? "no e-mail")})`)
      .join(", ");
  });

  await step("List projects with their milestones, page by page", async () => {
    const projects: Body[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const answer = await call(
        `/api-v1/projects?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      expectAnswer(answer, 200);
      projects.push(...answer.body.data);
      cursor = answer.body.next_cursor;
    }
    found.relaunch = projects.find(({ name }) => name === "Website relaunch");
    assert.equal(found.relaunch?.milestones.length, 3);
    return projects
      .map(
        ({ name, included_revision_rounds: rounds }) => `${name} (revision rounds: ${rounds ?? "unlimited"})`,
      )
      .join(", ");
  });

  await step("List invoices in every state", async () => {
    const statuses = (await list("/api-v1/invoices")).map(({ status }) => status);
    assert.deepEqual([...statuses].sort(), ["draft", "open", "overdue", "paid", "partially_paid", "void"]);
    return statuses.join(", ");
  });

  await step("List deliverables in every review state", async () => {
    found.deliverables = await list("/api-v1/deliverables");
    const states = new Set(found.deliverables.map(({ review_state }) => review_state));
    assert.deepEqual([...states].sort(), ["approved", "changes_requested", "draft", "in_review"]);
    return found.deliverables.map(({ title, review_state }) => `${title}: ${review_state}`).join("\n");
  });

  await step("Ask only for what changed since", async () => {
    const since = encodeURIComponent(new Date(Date.now() + 3_600_000).toISOString());
    assert.deepEqual(await list(`/api-v1/time-entries?updated_since=${since}`), []);
    return undefined;
  });

  return found;
}
