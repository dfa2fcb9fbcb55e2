import { sql } from "drizzle-orm";
import { notErasing } from "../../db/erasing.ts";
import { frozen, statusMoves } from "../../db/guards.ts";
import { before, raise, type Statement } from "../../db/trigger.ts";
import { changeOrders } from "./tables.ts";

export const changeOrdersGuards: readonly Statement[] = [
  before(changeOrders, "INSERT", "start", ({ NEW }) => ({
    when: sql`${NEW.status} NOT IN ('draft', 'sent')`,
    do: raise("change_order_starts_draft_or_sent"),
  })),
  statusMoves(
    changeOrders,
    ["draft sent", "sent signed", "sent declined"],
    "change_order_status_out_of_order",
  ),
  frozen(
    changeOrders,
    ["project_id", "title", "amount_minor", "currency"],
    ({ status }) => sql`${status} <> 'draft'`,
    "change_order_frozen",
  ),
  before(changeOrders, "DELETE", "kept", ({ OLD }) => ({
    when: sql`${OLD.status} <> 'draft' AND ${notErasing(OLD)}`,
    do: raise("change_order_frozen"),
  })),
];
