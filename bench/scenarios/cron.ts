import { findDue, leaseFound } from "../../src/domain/webhooks/enqueue-due.ts";
import type { Bench, Scenario } from "../bench.ts";
import { atMost } from "../report.ts";
import { workspace } from "../seed.ts";

/** Rows that the cron of each minute reads beside a million settled deliveries: nothing due, and a few due. */

const settled = 1_000_000;
const rowsPerStatement = 50_000;
const due = 3;
/** Overdue invoices, due deliveries, old events, owners to be told: each sweep reads what is due and one more. */
const sweeps = 4;

export const cron: Scenario = async (bench) => {
  const scenario = `cron, ${settled.toLocaleString("en")} deliveries`;
  await seedSettledDeliveries(bench);
  const idle = await bench.database.used(async () => {
    const answer = await fetch(`${bench.server.addressOf("hand-over")}/scheduled`);
    if (!answer.ok) throw new Error(await answer.text());
  });
  await bench.database.run(
    `UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = '2026-01-31T09:30:00.000Z'
     WHERE rowid IN (SELECT rowid FROM webhook_deliveries LIMIT ${due})`,
  );
  const look = findDue({ limit: 500 });
  const seen = await bench.database.run(look.sql, ...look.params);
  const lease = leaseFound({ rowids: JSON.stringify(look.read(seen.results)) });
  const leased = await bench.database.run(lease.sql, ...lease.params);
  if (leased.results.length !== due) throw new Error(`${leased.results.length} deliveries leased`);
  const line = (contender: string, trips: number, used: { rows_read: number; rows_written: number }) => ({
    scenario,
    contender,
    trips: `${trips} D1`,
    rowsRead: used.rows_read,
    rowsWritten: used.rows_written,
  });
  return {
    lines: [
      line("nothing due", idle.trips, idle),
      line(`sweep, ${due} due`, 1, seen.meta),
      line(`lease of ${due}`, 1, leased.meta),
    ],
    promises: [
      atMost(`${scenario}: rows read when nothing is due, by ${sweeps} sweeps`, idle.rows_read, sweeps),
      atMost(`${scenario}: rows read to find ${due} due`, seen.meta.rows_read, due + 1),
    ],
  };
};

const endpointId = "00000000-0000-4000-8000-000000000008";
const eventId = "00000000-0000-4000-8000-000000000009";

async function seedSettledDeliveries({ database, progress }: Bench): Promise<void> {
  const { organizationId, ownerId, clientId } = workspace;
  await database.run(
    "INSERT INTO events (id, organization_id, event, subject_id, payload) VALUES (?, ?, 'invoice.paid', ?, '{}')",
    eventId,
    organizationId,
    clientId,
  );
  // What another scenario left behind, and what the event just made for its endpoint.
  await database.run("DELETE FROM webhook_attempts");
  await database.run("DELETE FROM webhook_deliveries");
  await database.run(
    `INSERT INTO webhook_endpoints (id, organization_id, url, secret_encrypted, created_by)
     VALUES (?, ?, 'https://example.com/', '', ?)`,
    endpointId,
    organizationId,
    ownerId,
  );
  for (let seeded = 0; seeded < settled; seeded += rowsPerStatement) {
    progress(`cron: ${seeded} deliveries seeded`);
    await database.run(
      `WITH RECURSIVE n (i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO webhook_deliveries (id, organization_id, endpoint_id, event_id, event, status, attempts, settled_at)
       SELECT printf('%08x-0000-4000-8000-000000000000', i), ?, ?, ?, 'invoice.paid', 'delivered', 1,
         strftime('%Y-%m-%dT%H:%M:%fZ', 'now') FROM n`,
      seeded,
      seeded + rowsPerStatement - 1,
      organizationId,
      endpointId,
      eventId,
    );
  }
}
