import { describe, expect, it } from "vitest";
import { metered } from "../support/metered.ts";
import { call } from "../support/partner.ts";
import { makeRecords } from "../support/records.ts";
import { listRoutes } from "../support/requests.ts";
import { type Collection, seed } from "../support/seed.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

/** The rows that a page reads in addition to its records: the next page's first row, the token and the cursor. */
const constantRows = 3;

/** The token, the organization and the plan. Reads do not load the member. */
const principalRows = 3;

/** Each project and invoice costs one lookup in the children's table, in addition to the children. */
const looksForChildren = (collection: Collection, limit: number): number =>
  collection === "projects" || collection === "invoices" ? limit + 1 : 0;

/** Growing to 10,000 rows takes a second or two, or longer while other tests run. */
const growthMs = 120_000;

async function rowsRead(workspace: Workspace, path: string): Promise<{ rows: number; next: string | null }> {
  const { answer, read } = await metered(() => call(workspace, path));
  const { next_cursor } = await answer.json<{ next_cursor: string | null }>();
  return { rows: read, next: next_cursor };
}

const momentAt = (total: number, fraction: number): string =>
  new Date(Date.UTC(2026, 0, 1) + Math.floor((total * fraction) / 3) * 1000).toISOString();

const lists = listRoutes.map(({ name, route }) => ({
  name,
  path: route.path,
  collection: route.path.split("/")[2] as Collection,
}));

describe.each(lists)("$name", ({ path, collection }) => {
  it(
    "reads limit + 6 rows per page, in lists of 100 and 10,000 rows at any depth [L7]",
    async () => {
      const workspace = await makeWorkspace();
      const records = await makeRecords(workspace);
      let filled = 0;
      for (const total of [100, 10_000]) {
        await seed(collection, workspace, records, filled + 1, total);
        filled = total;
        for (const limit of [1, 50, 200]) {
          const most = principalRows + limit + constantRows + looksForChildren(collection, limit);
          for (const filter of ["", momentAt(total, 0), momentAt(total, 0.5), momentAt(total, 0.9)]) {
            const since = filter && `&updated_since=${filter}`;
            const first = await rowsRead(workspace, `${path}?limit=${limit}${since}`);
            expect(first.rows, `${total} rows, limit ${limit}, since ${filter}`).toBeLessThanOrEqual(most);
            if (first.next === null) continue;
            const second = await rowsRead(workspace, `${path}?limit=${limit}&cursor=${first.next}${since}`);
            expect(second.rows, `${total} rows, limit ${limit}, behind a cursor`).toBeLessThanOrEqual(most);
          }
        }
      }
    },
    growthMs,
  );
});

it("the legacy list reads only its 500 clients", async () => {
  const workspace = await makeWorkspace();
  await seed("clients", workspace, await makeRecords(workspace), 1, 10_000);
  expect((await rowsRead(workspace, "/api-list-clients")).rows).toBeLessThanOrEqual(
    principalRows + 500 + constantRows,
  );
});
