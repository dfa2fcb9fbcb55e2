import assert from "node:assert/strict";
import { type DemoContext, expectAnswer } from "./context.ts";

/** Two workspaces in different cells work at the same address. */
export async function workInCells({ server, admin, call, step }: DemoContext): Promise<void> {
  const { cells = [] } = server;
  const [first, second] = cells;
  if (first === undefined || second === undefined) return;
  const slug = "halden-brygga";

  await step(`The operator creates a workspace in cell ${second.name}`, async () => {
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

  let token = "";
  await step("Its token works at the same address, and only its cell has its records", async () => {
    const asked = { organization: slug, name: "Demo", scopes: "client:read,client:write" };
    ({ token } = await admin("create-api-token", asked));
    const client = { body: { company_name: "Fjord Ferries" }, key: "first-client", token };
    expectAnswer(await call("/api-v1/clients", client), 201);
    const inCells = await admin("list-cells");
    const lines = inCells.map(
      ({ name, organizations }: { name: string; organizations: number }) => `${name}: ${organizations}`,
    );
    assert.deepEqual(lines, ["a: 1", "b: 1"]);
    return lines.join(", ");
  });

  await step(`It moves to cell ${first.name} while its token is used`, async () => {
    let reads = 0;
    for (let next: string | null = ""; next !== null; reads += 1) {
      const moved = await admin("move-organization", {
        organization: slug,
        to: first.name,
        ...(next && { position: next }),
      });
      next = moved.next;
      expectAnswer(await call("/api-v1/clients", { token }), 200);
    }
    assert.deepEqual(await admin("find-leftovers", { organization: slug }), []);
    const listed = await admin("list-organizations");
    const { cell } = listed.find((each: Record<string, string>) => each.slug === slug);
    assert.equal(cell, first.name);
    return `${reads} reads meanwhile; cell ${second.name} has nothing left of it`;
  });
}
