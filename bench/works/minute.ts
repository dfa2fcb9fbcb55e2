import { claimDue } from "../../src/domain/webhooks/dispatch-due.ts";
import type { Bench, Work } from "../bench.ts";
import { atMost } from "../report.ts";
import { workspace } from "../seed.ts";

/** Rows that the cron of each minute reads beside a million settled deliveries: nothing due, and a few due. */

const settled = 1_000_000;
const rowsPerStatement = 50_000;
const due = 3;
/** A few for each of the seven statements that look whether there is anything to do. */
const idleAllowance = 20;
/** A due delivery is found, read again to be changed, moved in its index and answered. */
const readsPerDue = 6;

export const minute: Work = async (bench) => {
  const work = `minute, ${settled.toLocaleString("en")} deliveries`;
  await seedSettledDeliveries(bench);
  const idle = await bench.database.used(async () => {
    const answer = await fetch(`${bench.server.addressOf("hand-over")}/scheduled`);
    if (!answer.ok) throw new Error(await answer.text());
  });
  await bench.database.run(
    `UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = '2026-01-31T09:30:00.000Z'
     WHERE rowid IN (SELECT rowid FROM webhook_deliveries LIMIT ${due})`,
  );
  const { sql, params } = claimDue(null, 500);
  const { results, meta } = await bench.database.run(sql, ...params);
  if (results.length !== due) throw new Error(`${results.length} deliveries claimed`);
  return {
    lines: [
      {
        work,
        contender: "nothing due",
        trips: `${idle.trips} D1`,
        rowsRead: idle.rows_read,
        rowsWritten: idle.rows_written,
      },
      {
        work,
        contender: `claim of ${due}`,
        trips: "1 D1",
        rowsRead: meta.rows_read,
        rowsWritten: meta.rows_written,
      },
    ],
    promises: [
      atMost(`${work}: rows read when nothing is due`, idle.rows_read, idleAllowance),
      atMost(`${work}: rows read to claim ${due}`, meta.rows_read, readsPerDue * due + 1),
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
  // What another work left behind, and what the event just made for its endpoint.
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
    progress(`minute: ${seeded} deliveries seeded`);
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
