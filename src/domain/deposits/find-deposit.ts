import type { Deposit } from "../../catalogue/workspace/records.ts";
import type { Query } from "../../db/query.ts";
import { fromMinor } from "../money.ts";

export const findDeposit = (organizationId: string, id: string): Query<Deposit | null> => ({
  sql: "SELECT * FROM deposits WHERE id = ? AND organization_id = ?",
  params: [id, organizationId],
  read: ([row]) => (row ? { ...(row as Deposit), amount: fromMinor(row.amount_minor, row.currency) } : null),
});
