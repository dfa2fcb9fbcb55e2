import { expect, it } from "vitest";
import { post } from "../support/partner.ts";
import { makeWorkspace } from "../support/workspace.ts";

const made = async (workspace: { token: string }, path: string, body: object) =>
  ((await (await post(workspace, path, body)).json()) as { id: string }).id;

it("only one of several concurrent invoices can bill the same time entry", async () => {
  const workspace = await makeWorkspace();
  const client_id = await made(workspace, "/api-v1/clients", { client_name: "Ada" });
  const project_id = await made(workspace, "/api-v1/projects", { client_id, name: "Relaunch" });
  const time_entry_id = await made(workspace, "/api-v1/time-entries", {
    project_id,
    hours: 1,
    spent_date: "2026-01-31",
  });
  const invoice = {
    client_id,
    line_items: [{ description: "Work", quantity: 1, unit_price: 95, time_entry_id }],
  };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => post(workspace, "/api-v1/invoices", invoice)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)]);
  const refused = answers.find(({ status }) => status === 400);
  expect(await refused?.json()).toEqual({ error: expect.stringMatching(/^line_items.* already invoiced$/) });
});
