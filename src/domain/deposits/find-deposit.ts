import { fromMinor } from "../../contract/money.ts";
import type { Deposit } from "../../contract/workspace/records.ts";
import { findById } from "../../db/query.ts";

export const findDeposit = findById<Deposit>("deposits", (row) => ({
  ...(row as Deposit),
  amount: fromMinor(row.amount_minor, row.currency),
}));
