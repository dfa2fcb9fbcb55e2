import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call, post } from "../support/partner.ts";
import { makeRecords } from "../support/records.ts";
import { makeWorkspace } from "../support/workspace.ts";

type Fields = Record<string, unknown>;

const path = "/api-v1/projects";

async function create(fields: Fields, currency = "USD"): Promise<Response> {
  const workspace = await makeWorkspace({ currency });
  const { client_id } = await makeRecords(workspace);
  return post(workspace, path, { client_id, name: "Relaunch", ...fields });
}

const created = async (fields: Fields, currency?: string) => {
  const answer = await create(fields, currency);
  expect(answer.status).toBe(201);
  return answer.json<Fields & { milestones: Fields[] }>();
};

const refusal = async (fields: Fields, currency?: string) => {
  const answer = await create(fields, currency);
  expect(answer.status).toBe(400);
  return (await answer.json<{ error: string }>()).error;
};

describe("POST /api-v1/projects", () => {
  it("returns 201 with the project and its milestones in the form that the list returns [C4, C5]", async () => {
    const workspace = await makeWorkspace();
    const { client_id, project_id } = await makeRecords(workspace);
    const answer = await post(workspace, path, {
      client_id,
      name: "  Relaunch  ",
      description: "Design and build",
      currency: "EUR",
      included_revision_rounds: 2,
      start_date: "2026-01-15",
      end_date: "2026-04-30",
      external_id: "p-1",
      milestones: [{ name: "Concept", due_date: "2026-02-01", amount: 2500.5 }, { name: "Launch" }],
    });
    const project = await answer.json<Fields>();
    const milestone = { id: expect.any(String), status: "pending", due_date: null, amount: null };
    expect([answer.status, project]).toEqual([
      201,
      {
        id: expect.any(String),
        client_id,
        name: "Relaunch",
        description: "Design and build",
        status: "active",
        currency: "EUR",
        included_revision_rounds: 2,
        revision_rounds_used: 0,
        start_date: "2026-01-15",
        end_date: "2026-04-30",
        external_id: "p-1",
        milestones: [
          { ...milestone, name: "Concept", position: 0, due_date: "2026-02-01", amount: 2500.5 },
          { ...milestone, name: "Launch", position: 1 },
        ],
        created_at: expect.any(String),
        updated_at: project.created_at,
      },
    ]);
    const { data } = await (await call(workspace, path)).json<{ data: Fields[] }>();
    expect(data.find(({ id }) => id !== project_id)).toEqual(project);
  });

  it("returns only the project's own milestones", async () => {
    const workspace = await makeWorkspace();
    const { client_id, project_id } = await makeRecords(workspace);
    for (const name of ["One", "Two"])
      await post(workspace, path, { client_id, name, milestones: [{ name: `Milestone of ${name}` }] });
    const { data } = await (await call(workspace, path)).json<{
      data: (Fields & { milestones: Fields[] })[];
    }>();
    const names = data.map(({ id, name, milestones }) => [
      id === project_id ? "without" : name,
      milestones.map((milestone) => milestone.name),
    ]);
    expect(Object.fromEntries(names)).toEqual({
      without: [],
      One: ["Milestone of One"],
      Two: ["Milestone of Two"],
    });
  });

  it("defaults to the organization's currency and to no revision allowance [T8]", async () => {
    const project = await created({}, "KWD");
    expect([project.currency, project.included_revision_rounds, project.milestones]).toEqual([
      "KWD",
      null,
      [],
    ]);
    expect((await created({ included_revision_rounds: 0 })).included_revision_rounds).toBe(0);
  });

  it("limits amounts to the currency's decimals (0 for JPY, 2 for USD, 3 for KWD) [T7]", async () => {
    for (const [currency, amount, tooFine] of [
      ["JPY", 1000, 1000.5],
      ["USD", 0.29, 0.295],
      ["KWD", 1.005, 1.0005],
    ] as const) {
      const { milestones } = await created({ currency, milestones: [{ name: "Concept", amount }] });
      expect(milestones[0]?.amount).toBe(amount);
      expect(
        await refusal({
          currency,
          milestones: [
            { name: "A", amount: 1 },
            { name: "B", amount: tooFine },
          ],
        }),
      ).toBe(`milestones.1.amount has more digits than ${currency}`);
    }
  });

  it("returns amounts with up to two decimals unchanged", async () => {
    const amounts = [0, 0.01, 0.07, 0.1, 1.1, 4.35, 8.2, 19.99, 1234.56, 99999.99, 1_000_000_000];
    const { milestones } = await created({ milestones: amounts.map((amount) => ({ name: "M", amount })) });
    expect(milestones.map(({ amount }) => amount)).toEqual(amounts);
  });

  it("requires calendar days, with end_date not before start_date", async () => {
    expect((await created({ start_date: "2028-02-29", end_date: "2028-02-29" })).end_date).toBe("2028-02-29");
    expect(await refusal({ start_date: "2026-02-02", end_date: "2026-02-01" })).toBe(
      "end_date must not be before start_date",
    );
    for (const start_date of [
      "2026-02-30",
      "2027-02-29",
      "2026-1-1",
      "01/02/2026",
      "2026-01-01T00:00:00Z",
      "",
    ]) {
      expect(await refusal({ start_date })).toBe("start_date must be a calendar day like 2026-01-31");
    }
    expect(await refusal({ milestones: [{ name: "A", due_date: "2026-02-30" }] })).toBe(
      "milestones.0.due_date must be a calendar day like 2026-01-31",
    );
  });

  it("rejects values over its limits, with the field first in each error message [C6, E7]", async () => {
    const milestones = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `M${n}` }));
    expect((await created({ milestones: milestones(100) })).milestones).toHaveLength(100);
    expect(await refusal({ milestones: milestones(101) })).toMatch(/^milestones /);
    expect(await refusal({ name: "" })).toBe("name must have 1 to 200 characters");
    expect(await refusal({ name: undefined })).toMatch(/^name is required/);
    expect(await refusal({ description: "x".repeat(5001) })).toMatch(/^description /);
    expect(await refusal({ included_revision_rounds: 1001 })).toMatch(/^included_revision_rounds /);
    expect(await refusal({ included_revision_rounds: 1.5 })).toMatch(/^included_revision_rounds /);
    expect(await refusal({ included_revision_rounds: -1 })).toMatch(/^included_revision_rounds /);
    expect(await refusal({ milestones: [{ name: "A", amount: -1 }] })).toMatch(/^milestones\.0\.amount /);
    expect(await refusal({ milestones: [{ name: "A", status: "completed" }] })).toBe(
      "milestones.0.status is not a known field",
    );
    for (const currency of ["usd", "XXX", "US", "EURO"])
      expect(await refusal({ currency })).toMatch(/^currency /);
  });

  it("requires one of the workspace's clients", async () => {
    const { client_id } = await makeRecords(await makeWorkspace());
    expect(await refusal({ client_id })).toBe("client_id not found in this workspace");
    expect(await refusal({ client_id: undefined })).toBe("client_id is required");
    expect(await refusal({ client_id: "acme" })).toBe("client_id must be a UUID");
  });

  it("accepts a client_id in upper case", async () => {
    const workspace = await makeWorkspace();
    const { client_id } = await makeRecords(workspace);
    const answer = await post(workspace, path, { client_id: client_id.toUpperCase(), name: "Relaunch" });
    expect([answer.status, (await answer.json<Fields>()).client_id]).toEqual([201, client_id]);
  });
});

it("updated_since finds a project after the status of the project or a milestone changes", async () => {
  const workspace = await makeWorkspace();
  const { client_id } = await makeRecords(workspace);
  const make = async (name: string) =>
    (await post(workspace, path, { client_id, name, milestones: [{ name: "Concept" }] })).json<{
      id: string;
      updated_at: string;
    }>();
  const [status, milestone, untouched] = [await make("A"), await make("B"), await make("C")];
  await new Promise((resolve) => setTimeout(resolve, 5));
  await env.DB.batch([
    env.DB.prepare("UPDATE projects SET status = 'completed' WHERE id = ?").bind(status.id),
    env.DB.prepare("UPDATE milestones SET status = 'in_progress' WHERE project_id = ?").bind(milestone.id),
  ]);
  const since = new Date(Date.parse(untouched.updated_at) + 1).toISOString();
  const { data } = await (await call(workspace, `${path}?updated_since=${since}`)).json<{ data: Fields[] }>();
  expect(data.map(({ name }) => name).sort()).toEqual(["A", "B"]);
});
