import type { ChangeOrder } from "../../catalogue/workspace/records.ts";
import type { Query } from "../../db/query.ts";
import { fromMinor } from "../money.ts";

export const findChangeOrder = (organizationId: string, id: string): Query<ChangeOrder | null> => ({
  sql: "SELECT * FROM change_orders WHERE id = ? AND organization_id = ?",
  params: [id, organizationId],
  read: ([row]) =>
    row ? { ...(row as ChangeOrder), amount: fromMinor(row.amount_minor, row.currency) } : null,
});
