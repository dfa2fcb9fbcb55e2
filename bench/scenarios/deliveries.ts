import { searchLimits } from "../../src/contract/webhook-limits.ts";
import { type DeliveryFilter, listDeliveries } from "../../src/webhooks/deliveries/read-deliveries.ts";
import type { Scenario } from "../bench.ts";
import {
  deadEndpoint,
  endpointId,
  endpoints,
  seedDeliveries,
  seededDeliveries,
  subjectId,
  waitingEndpoint,
} from "../deliveries.ts";
import { atMost, type Line, type Promised } from "../report.ts";
import { workspace } from "../seed.ts";

/** Rows read when the settings list and search an organization's million deliveries. */

const limit = 50;
/** The row, its index entry and its place in the sorted page. */
const looksForRow = 5;
const allowance = limit * looksForRow;
/** Without an index for the filter, each scanned delivery costs an index entry, a row and its place in the scan. */
const scannedRows = 3 * searchLimits.deliveries + allowance;
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();

const searches: [string, Omit<DeliveryFilter, "limit">, number?][] = [
  ["newest", {}],
  ["event", { event: "signoff.recorded" }, scannedRows],
  ["endpoint", { endpoint: endpointId(3) }],
  ["subject_id", { subject_id: subjectId(777) }, allowance + searchLimits.eventsOfSubject],
  ["since, until", { since: day(8), until: day(7) }],
  ["endpoint, since, until", { endpoint: endpointId(3), since: day(8), until: day(7) }],
  ["status=dead", { status: "dead" }],
  ["status=dead, endpoint", { status: "dead", endpoint: deadEndpoint }],
  ["status=dead of an endpoint without", { status: "dead", endpoint: endpointId(3) }],
  ["status=delivered", { status: "delivered" }],
  // Reads a page per endpoint and shows the newest deliveries overall.
  ["status=pending", { status: "pending" }, allowance + 2 * endpoints * limit],
  ["status=pending, endpoint", { status: "pending", endpoint: waitingEndpoint }, allowance + limit],
];

export const deliveries: Scenario = async ({ database, progress }) => {
  progress("deliveries: seeding");
  await seedDeliveries(database);
  const lines: Line[] = [];
  const promises: Promised[] = [];
  for (const [contender, filter, allowed = allowance] of searches) {
    const scenario = `deliveries at ${seededDeliveries.toLocaleString("en")}`;
    const { sql, params, read } = listDeliveries(workspace.organizationId, { ...filter, limit });
    const { results, meta } = await database.run(sql, ...params);
    const last = read(results as never).at(-1)?.id;
    const next = listDeliveries(workspace.organizationId, {
      ...filter,
      limit,
      ...(last && { cursor: last }),
    });
    const second = await database.run(next.sql, ...next.params);
    const rowsRead = Math.max(meta.rows_read, second.meta.rows_read);
    lines.push({ scenario, contender, trips: "1 D1", rowsRead, rowsWritten: 0 });
    promises.push(atMost(`${scenario}: rows read by a search by ${contender}`, rowsRead, allowed));
  }
  return { lines, promises };
};
