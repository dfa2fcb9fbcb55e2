import * as z from "zod";
import { changeOrderStatuses } from "../../contract/closed-sets.ts";
import { currency, id, money, timestamp } from "../../contract/fields.ts";

export const ChangeOrder = z.object({
  id,
  project_id: id,
  title: z.string(),
  amount: money,
  currency,
  status: z.enum(changeOrderStatuses),
  created_at: timestamp,
  updated_at: timestamp,
});

export type ChangeOrder = z.output<typeof ChangeOrder>;
