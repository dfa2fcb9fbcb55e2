import * as z from "zod";
import { depositStatuses } from "../../contract/closed-sets.ts";
import { currency, id, money, timestamp } from "../../contract/fields.ts";
import { collectedVia } from "../invoices/record.ts";

export const Deposit = z.object({
  id,
  project_id: id,
  amount: money,
  currency,
  status: z.enum(depositStatuses),
  collected_via: collectedVia.nullable(),
  cleared_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});

export type Deposit = z.output<typeof Deposit>;
