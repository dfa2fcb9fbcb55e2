import { PageParameters, pageOf } from "../../src/http/pagination.ts";
import type { Bench, Scenario } from "../bench.ts";
import { atMost, type Line, type Promised } from "../report.ts";
import { bindings, seededTimeEntry, seedTimeEntries, workspace } from "../seed.ts";
import { bytesOfRecords } from "./bytes.ts";

/** Bytes, and the rows that SQLite reports as read and written, as one organization's table grows. */

const sizes = [10_000, 100_000, 1_000_000] as const;
const limit = 50;
/** The page's records plus six: the next page's first record, the token twice, its organization and its plan. */
const pageAllowance = limit + 6;
const createAllowance = 10;

export const rowsRead: Scenario = async (bench) => {
  const lines: Line[] = await bytesOfRecords(bench);
  const promises: Promised[] = [];
  const { results } = await bench.database.run(
    "SELECT max(substr(client_ref, 7) + 0) AS last FROM time_entries WHERE client_ref LIKE 'timer-%'",
  );
  let last = Number(results[0]?.last);
  // An isolate's first request also checks the schema.
  await request(bench, "?limit=1");
  for (const size of sizes) {
    bench.progress(`rows: growing to ${size}`);
    await seedTimeEntries(bench.database, last + 1, size);
    last = Math.max(last, size);
    const scenario = `rows at ${size.toLocaleString("en")}`;
    const pages = await readPages(bench, scenario, size);
    const created = await createOne(bench, scenario);
    lines.push(...pages, created);
    promises.push(
      atMost(
        `${scenario}: rows read by a page`,
        Math.max(...pages.map((page) => page.rowsRead ?? 0)),
        pageAllowance,
      ),
      atMost(`${scenario}: rows written by a create`, created.rowsWritten ?? 0, createAllowance),
    );
  }
  return { lines, promises };
};

async function readPages(bench: Bench, scenario: string, size: number): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [depth, position] of [
    ["first", 0],
    ["middle", size / 2],
    ["last", size - limit],
  ] as const) {
    for (const updatedSince of [undefined, seededTimeEntry(1).updated_at]) {
      const query = new URLSearchParams({
        limit: String(limit),
        ...(updatedSince && { updated_since: updatedSince }),
      });
      const cursor = cursorBehind(position, updatedSince);
      if (cursor) query.set("cursor", cursor);
      const used = await bench.database.used(() => request(bench, `?${query}`));
      lines.push({
        scenario,
        contender: `${depth} page${updatedSince ? ", updated_since" : ""}`,
        trips: `${used.trips} D1`,
        rowsRead: used.rows_read,
        rowsWritten: used.rows_written,
      });
    }
  }
  return lines;
}

/** A cursor for a page that ended at record number `position`. */
function cursorBehind(position: number, updatedSince?: string): string | null {
  if (position === 0) return null;
  const page = pageOf(
    { records: [seededTimeEntry(position), seededTimeEntry(position + 1)], cut: null },
    PageParameters.parse({ limit: "1", updated_since: updatedSince }),
    { route: path, organizationId: workspace.organizationId, cursorKeys: bindings.cursorKeys },
  );
  return "next_cursor" in page ? page.next_cursor : null;
}

const path = "/api-v1/time-entries";

async function request({ server }: Bench, query: string, init: RequestInit = {}): Promise<void> {
  const headers = {
    authorization: `Bearer ${workspace.token}`,
    apikey: bindings.gatewayPublicKey,
    "content-type": "application/json",
    "idempotency-key": crypto.randomUUID(),
  };
  const answer = await fetch(`${server.addressOf("app")}${path}${query}`, { ...init, headers });
  if (!answer.ok) throw new Error(`${query}: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

async function createOne(bench: Bench, scenario: string): Promise<Line> {
  const body = JSON.stringify({ project_id: workspace.projectId, hours: 1, spent_date: "2026-01-31" });
  const used = await bench.database.used(() => request(bench, "", { method: "POST", body }));
  return {
    scenario,
    contender: "create",
    trips: `${used.trips} D1`,
    rowsRead: used.rows_read,
    rowsWritten: used.rows_written,
  };
}
