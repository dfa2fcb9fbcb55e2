import { eq } from "drizzle-orm";
import { noSuch, type Refusal, refuse } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { changeRecord } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { findChangeOrder } from "./find-change-order.ts";
import type { ChangeOrder } from "./record.ts";
import { changeOrders } from "./tables.ts";

/** The status that each move requires. */
const before = { sent: "draft", signed: "sent", declined: "sent" } as const;

/** Sends a draft for signing, or signs or declines a change order that was sent. */
export async function moveChangeOrder(
  context: Context<Staff, "db">,
  id: string,
  status: keyof typeof before,
): Promise<ChangeOrder | Refusal> {
  const { changed, record } = await changeRecord(context, changeOrders, id, {
    action: `change_order.${status}`,
    set: { status },
    guard: eq(changeOrders.status, before[status]),
    find: findChangeOrder,
  });
  if (!record) return noSuch("change order", id);
  if (changed) return record;
  return refuse("change_order_not_movable", { status: record.status, from: before[status], to: status });
}
