import { setTimeout as pause } from "node:timers/promises";
import type { KillableService } from "./service.ts";
import type { Stock } from "./workspace.ts";

const between = (least: number, most: number) => least + Math.random() * (most - least);

/**
 * Changes records concurrently until `signal` aborts: by SQL (which enqueues nothing), through admin operations and the
 * partner API, and with the cron. Changes interrupted by a kill are not retried, because the test compares only
 * committed changes.
 */
export async function loadUntil(service: KillableService, stock: Stock, signal: AbortSignal): Promise<void> {
  const repeat = async (minMs: number, maxMs: number, work: () => Promise<unknown> | undefined) => {
    while (!signal.aborted) {
      await Promise.resolve(work()).catch(() => {});
      await pause(between(minMs, maxMs));
    }
  };
  const { organizationId: organization, token } = stock;
  const issueAndPay = async (id: string) => {
    await service.admin("issue-invoice", { organization, id });
    await service.admin("record-payment", { organization, invoice: id, amount: 40, collected_via: "stripe" });
    await service.admin("mark-invoice-paid", { organization, id });
  };
  await Promise.all([
    repeat(10, 60, () => {
      const ids = stock.drafts.splice(0, Math.ceil(between(0, 6)));
      return service.sql(
        "UPDATE invoices SET status = 'open' WHERE id IN (SELECT value FROM json_each(?)) AND status = 'draft'",
        JSON.stringify(ids),
      );
    }),
    ...Array.from({ length: 3 }, () =>
      repeat(5, 30, () => {
        const id = stock.drafts.pop();
        return id === undefined ? undefined : issueAndPay(id);
      }),
    ),
    repeat(100, 300, () => {
      const id = stock.deliverables.pop();
      const path = `/api-v1/deliverables/${id}/send`;
      return id === undefined ? undefined : service.call(path, { token, body: {}, key: `send-${id}` });
    }),
    repeat(300, 600, () => service.minute()),
  ]);
}
