import { fromMinor } from "../../contract/money.ts";
import type { ChangeOrder } from "../../contract/workspace/records.ts";
import { findById } from "../../db/query.ts";

export const findChangeOrder = findById<ChangeOrder>("change_orders", (row) => ({
  ...(row as ChangeOrder),
  amount: fromMinor(row.amount_minor, row.currency),
}));
