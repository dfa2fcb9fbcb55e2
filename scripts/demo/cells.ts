import assert from "node:assert/strict";
import { type DemoContext, expectAnswer } from "./context.ts";

/** Two workspaces in two cells, at one address. */
export async function workInCells({ server, admin, call, step }: DemoContext): Promise<void> {
  const { cells = [] } = server;
  const [, second] = cells;
  if (second === undefined) return;
  const slug = "halden-brygga";

  await step(`The operator creates a workspace in the cell ${second.name}`, async () => {
    const owner_email = "kim@halden.example";
    await admin("create-organization", {
      name: "Halden Brygga",
      slug,
      plan: "studio",
      owner_email,
      cell: second.name,
    });
    const listed = await admin("list-organizations");
    return listed.map(({ name, cell }: Record<string, string>) => `${name} in ${cell}`).join(", ");
  });

  await step("Its token works at the same address, and only its cell has its records", async () => {
    const asked = { organization: slug, name: "Demo", scopes: "client:read,client:write" };
    const { token } = await admin("create-api-token", asked);
    const client = { body: { company_name: "Fjord Ferries" }, key: "first-client", token };
    expectAnswer(await call("/api-v1/clients", client), 201);
    const inCells = await admin("list-cells");
    const lines = inCells.map(
      ({ name, organizations }: { name: string; organizations: number }) => `${name}: ${organizations}`,
    );
    assert.deepEqual(lines, ["a: 1", "b: 1"]);
    return lines.join(", ");
  });
}
