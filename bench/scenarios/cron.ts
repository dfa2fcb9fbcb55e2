import { findDue, leaseFound } from "../../src/webhooks/sending/enqueue-due.ts";
import type { Scenario } from "../bench.ts";
import { seedDeliveries, seededDeliveries } from "../deliveries.ts";
import { atMost } from "../report.ts";

/** Rows that the cron of each minute reads beside a million settled deliveries: nothing due, and a few due. */

const due = 3;
/**
 * The jobs look for what is due, and each of their statements reads few rows (webhooks-figures.test.ts). A gauge counts
 * the first 1,000 of the seed's held deliveries.
 */
const idleRows = 1_000 + 80;

export const cron: Scenario = async (bench) => {
  const scenario = `cron, ${seededDeliveries.toLocaleString("en")} deliveries`;
  bench.progress("cron: seeding deliveries");
  await seedDeliveries(bench.database);
  const idle = await bench.database.used(async () => {
    const answer = await fetch(`${bench.server.addressOf("hand-over")}/scheduled`);
    if (!answer.ok) throw new Error(await answer.text());
  });
  await bench.database.run(
    `UPDATE webhook_deliveries SET status = 'pending', next_attempt_at = '2026-01-31T09:30:00.000Z'
     WHERE id IN (SELECT id FROM webhook_deliveries WHERE status = 'delivered' LIMIT ${due})`,
  );
  const look = findDue({ limit: 500 });
  const seen = await bench.database.run(look.sql, ...look.params);
  const lease = leaseFound({ ids: JSON.stringify(look.read(seen.results)) });
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
      atMost(`${scenario}: rows read when nothing is due`, idle.rows_read, idleRows),
      atMost(`${scenario}: rows read to find ${due} due`, seen.meta.rows_read, 10 * due),
    ],
  };
};
