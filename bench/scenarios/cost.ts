import { setTimeout as wait } from "node:timers/promises";
import type { Bench, Scenario } from "../bench.ts";
import { addUsed, divideUsed, nothingUsed, priceOfMillion, type Used } from "../prices.ts";
import { receive } from "../receiver.ts";
import { atMost, type Bill } from "../report.ts";
import { workspace } from "../seed.ts";
import { createRequest, getRequest, listRequest, sendOne } from "./requests.ts";
import { payload, putEndpoint } from "./webhooks.ts";

/**
 * The cost of a million requests and of a million delivered webhooks at list prices (prices.ts), including everything
 * that each one causes, up to the purge of its last row. The request rate matters, because the coordinator writes once
 * for many requests; five per second is the largest plan's limit. CPU is that of the whole process, including SQLite
 * for D1 and the coordinator; the platform bills only the Worker's.
 */

const seconds = 12;
const paces = [5, 1] as const;
const kinds = [
  { name: "list", request: listRequest },
  { name: "get", request: getRequest },
  { name: "create", request: createRequest },
] as const;
const events = 100;
const endpointId = "00000000-0000-4000-8000-000000000007";
/** By then, isolates have reported their requests to the coordinator. */
const settledMs = 1_500;

export const cost: Scenario = async (bench) => {
  const bills: Bill[] = [];
  // An organization's first request causes the coordinator to create its tables.
  for (const { request } of kinds) await sendOne(bench.server, "counted", request);
  await wait(settledMs);
  // Otherwise the first kind would pay for purging the rows of earlier scenarios.
  await bench.database.run("UPDATE requests SET answer = NULL");
  await purged(bench);
  for (const { name, request } of kinds)
    for (const pace of paces) {
      bench.progress(`cost: ${name}, ${pace} a second`);
      const requests = pace * seconds;
      const used = await usedBy(bench, async () => {
        for (let sent = 0; sent < requests; sent += 1) {
          await Promise.all([sendOne(bench.server, "counted", request), wait(1000 / pace)]);
        }
      });
      bills.push(billOf(`${name}, ${pace} a second`, divideUsed(used, requests)));
    }
  bills.push(...(await webhookBills(bench)));
  const price = (name: string) => bills.find((bill) => bill.name === name)?.price ?? Number.NaN;
  return {
    lines: [],
    bills,
    promises: [
      atMost("cost: dollars a million lists", price("list, 5 a second"), 1.5),
      atMost("cost: dollars a million time entries", price("create, 5 a second"), 13),
      atMost("cost: dollars a million delivered webhooks", price("webhook, 100 at once"), 21),
    ],
  };
};

const billOf = (name: string, used: Used): Bill => ({ name, used, price: priceOfMillion(used) });

/** Inserts events for one endpoint by SQL, so that the requests' cost is not included. */
async function webhookBills(bench: Bench): Promise<Bill[]> {
  const receiver = await receive();
  try {
    await putEndpoint(bench, receiver, endpointId);
    const record = (count: number) =>
      bench.database.run(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO events (organization_id, event, category, subject_id, payload)
         SELECT ?, 'invoice.paid', 'money', ?, ? FROM n`,
        count,
        workspace.organizationId,
        workspace.clientId,
        payload,
      );
    const bills: Bill[] = [];
    for (const [name, atOnce] of [
      ["webhook, 100 at once", events],
      ["webhook, alone", 1],
    ] as const) {
      bench.progress(`cost: ${name}`);
      const used = await usedBy(bench, async () => {
        for (let recorded = 0; recorded < events; recorded += atOnce) {
          await record(atOnce);
          await call(bench, `/enqueue/${workspace.organizationId}`);
          await call(bench, "/deliver");
        }
      });
      bills.push(billOf(name, divideUsed(used, events)));
    }
    if (receiver.received !== 2 * events) throw new Error(`${receiver.received} webhooks received`);
    return bills;
  } finally {
    receiver.close();
  }
}

const call = async ({ server }: Bench, path: string): Promise<void> => {
  const answer = await fetch(server.addressOf("counted") + path);
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
};

/** Measures what `work` uses, including the purge of the rows it leaves. */
async function usedBy(bench: Bench, work: () => Promise<unknown>): Promise<Used> {
  const before = await usedSoFar(bench);
  const cpuBefore = await bench.server.cpuMs();
  const database = await bench.database.used(async () => {
    await work();
    await wait(settledMs);
  });
  const cpuMs = (await bench.server.cpuMs()) - cpuBefore;
  const after = await usedSoFar(bench);
  const purge = await purged(bench);
  const rowsBefore = (await usedSoFar(bench)).coordinatorRowsWritten;
  await call(bench, `/forget/${workspace.organizationId}`);
  const forgotten = (await usedSoFar(bench)).coordinatorRowsWritten - rowsBefore;
  return addUsed(addUsed(after, divideUsed(before, -1)), {
    cpuMs,
    coordinatorRowsWritten: forgotten,
    databaseRowsRead: database.rows_read + purge.rows_read,
    databaseRowsWritten: database.rows_written + purge.rows_written,
  });
}

const usedSoFar = async ({ server }: Bench): Promise<Used> =>
  addUsed(
    nothingUsed(),
    (await (await fetch(`${server.addressOf("counted")}/used`)).json()) as Partial<Used>,
  );

/** Backdates all rows (triggers allow this only during an erasure), and returns the cost of purging them. */
async function purged(bench: Bench): Promise<{ rows_read: number; rows_written: number }> {
  const { database } = bench;
  await database.run("INSERT INTO erasures (id) VALUES (?)", workspace.organizationId);
  for (const table of ["events", "webhook_deliveries", "requests"])
    await database.run(`UPDATE ${table} SET created_at = '2020-01-31T09:30:00.000Z'`);
  await database.run("DELETE FROM erasures");
  const purge = await database.used(() => call(bench, "/minute"));
  const idle = await database.used(() => call(bench, "/minute"));
  return {
    rows_read: purge.rows_read - idle.rows_read,
    rows_written: purge.rows_written - idle.rows_written,
  };
}
