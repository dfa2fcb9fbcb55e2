/**
 * Part of `npm run test:faults`: 200 writers change a workspace through the partner API, admin operations and SQL while
 * the service is killed with SIGKILL and restarted. A reader polls the feed and stores only `latest_cursor`. In the
 * end, it must have received every committed event once, in commit order.
 */

import { setTimeout as pause } from "node:timers/promises";
import { FeedReader } from "./feed-reader.ts";
import { migrateDatabase } from "./migrate.ts";
import { between, startTemporaryService } from "./service.ts";
import { prepareWorkspace, type Stock } from "./workspace.ts";

const kills = Number(process.env.KILLS ?? 20);
const writers = 200;
/** How long the service runs under load before each kill. */
const lifeMs = { least: 1_500, most: 4_000 };
const pauseMs = { least: 100, most: 1_000 };

await using service = await startTemporaryService();

process.exitCode = (await run()) ? 0 : 1;

async function run(): Promise<boolean> {
  await migrateDatabase(service);
  await service.sql("UPDATE plans SET requests_per_minute = 1000000 WHERE name = 'agency'");
  const stock = await prepareWorkspace(service, { drafts: 8_000, deliverables: 60 });
  const { token } = await service.admin<{ token: string }>("create-api-token", {
    organization: stock.organizationId,
    name: "reader",
    scopes: "deliverable:read,invoice:read,project:read",
  });
  const stop = new AbortController();
  const writing = Array.from({ length: writers }, (_, index) => write(index, stock, stop.signal));
  const reader = new FeedReader(token, () => service.baseUrl);
  const reading = reader.readUntil(stop.signal);
  for (let kill = 1; kill <= kills; kill += 1) {
    await pause(between(lifeMs));
    await service.kill();
    await service.restart();
    console.log(`kill ${kill} of ${kills}: ${reader.seen.length} events seen`);
  }
  stop.abort();
  await Promise.all([...writing, reading]);
  while ((await reader.readPage()) > 0);
  return report(stock, reader.seen);
}

/** Retries a failed change even if it may have been committed, because the test compares only committed changes. */
async function write(index: number, stock: Stock, signal: AbortSignal): Promise<void> {
  const items = index % 10 === 0 ? stock.deliverables : stock.drafts;
  while (!signal.aborted) {
    const id = items.pop();
    if (id !== undefined) await change(index, stock, id).catch(() => items.unshift(id));
    await pause(between(pauseMs));
  }
}

/**
 * A tenth of the writers use the API. The others issue invoices by SQL, or issue and pay them through admin operations.
 */
async function change(index: number, { organizationId, token }: Stock, id: string): Promise<unknown> {
  if (index % 10 === 0) {
    return service.call(`/api-v1/deliverables/${id}/send`, { token, body: {}, key: `send-${id}` });
  }
  if (index % 2 === 0) return service.sql("UPDATE invoices SET status = 'open' WHERE id = ?", id);
  await service.admin("issue-invoice", { organization: organizationId, id });
  const payment = { invoice: id, amount: 40, collected_via: "stripe" };
  return service.admin("record-payment", { organization: organizationId, ...payment });
}

async function report({ organizationId }: Stock, seen: readonly string[]): Promise<boolean> {
  const committed = await service.sql<{ id: string }>(
    "SELECT id FROM events WHERE organization_id = ? ORDER BY sequence",
    organizationId,
  );
  const [counts] = await service.sql<Record<string, number>>(
    `SELECT (SELECT count(*) FROM invoices WHERE organization_id = ?1 AND status <> 'draft') AS issued,
       (SELECT count(*) FROM payments WHERE organization_id = ?1) AS payments,
       (SELECT count(*) FROM events WHERE organization_id = ?1 AND event = 'invoice.sent') AS sent_events,
       (SELECT count(*) FROM events WHERE organization_id = ?1 AND event = 'invoice.paid') AS paid_events`,
    organizationId,
  );
  const ids = committed.map(({ id }) => id);
  const findings: [string, boolean][] = [
    [
      `${ids.length} events were committed, ${seen.length} seen, ${new Set(seen).size} different ones`,
      ids.length > 0 && ids.length === seen.length && new Set(seen).size === seen.length,
    ],
    ["in the order of commit", ids.every((id, index) => id === seen[index])],
    [
      `${counts?.issued} issued invoices and ${counts?.payments} payments made an event each`,
      counts?.issued === counts?.sent_events && counts?.payments === counts?.paid_events,
    ],
  ];
  for (const [finding, held] of findings) console.log(`${held ? "✓" : "✗"} ${finding}`);
  return findings.every(([, held]) => held);
}
