import type { Bench } from "../bench.ts";
import { receive } from "../receiver.ts";
import type { Line } from "../report.ts";
import { workspace } from "../seed.ts";
import { type BenchRequest, createRequest, sendOne, writing } from "./requests.ts";
import { batchMessages, handOverBatch, leaseDeliveries, putEndpoint } from "./webhooks.ts";

/** Enough records that the page size, by which the database grows, hardly affects the average. */
const records = 1_000;
const atOnce = 10;
const endpointId = "00000000-0000-4000-8000-000000000008";

const invoiceRequest: BenchRequest = {
  path: "/api-v1/invoices",
  shot: {
    method: "POST",
    headers: { ...writing, "idempotency-key": "[<id>]" },
    body: JSON.stringify({
      client_id: workspace.clientId,
      line_items: ["Concept", "Design", "Hosting"].map((description) => ({
        description,
        quantity: 2,
        unit_price: 125,
      })),
    }),
  },
};

/** Measures the size of a record with its indexes, ledger entry, events and audit entries. */
export async function bytesOfRecords(bench: Bench): Promise<Line[]> {
  const { database } = bench;
  const lines: Line[] = [];
  const measured = async (contender: string, work: () => Promise<unknown>) => {
    bench.progress(`bytes: ${contender}`);
    const before = await database.bytes();
    await work();
    lines.push({ scenario: "bytes", contender, bytes: ((await database.bytes()) - before) / records });
  };
  await measured("time entry", () => sendMany(bench, createRequest));
  await measured("invoice of three lines", () => sendMany(bench, invoiceRequest));
  await measured("the responses of both, after 30 days", () =>
    database.run("UPDATE requests SET answer = NULL"),
  );
  const receiver = await receive();
  try {
    await putEndpoint(bench, receiver, endpointId);
    await leaseDeliveries(bench, 1);
    let leased: unknown[] = [];
    await measured("event with a delivery", async () => {
      leased = await leaseDeliveries(bench, records);
    });
    await measured("its attempt, delivered", async () => {
      for (let done = 0; done < records; done += batchMessages)
        await handOverBatch(bench, "app", leased.slice(done, done + batchMessages));
    });
  } finally {
    receiver.close();
  }
  return lines;
}

async function sendMany({ server }: Bench, request: BenchRequest): Promise<void> {
  for (let sent = 0; sent < records; sent += atOnce)
    await Promise.all(Array.from({ length: atOnce }, () => sendOne(server, "app", request)));
}
