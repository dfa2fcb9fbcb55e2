import * as z from "zod";
import {
  changeDecisionKinds,
  changeDecisionStatuses,
  changeOrderStatuses,
  depositStatuses,
  paymentWays,
} from "../closed-sets.ts";
import { currency, id, money, timestamp } from "../fields.ts";
import { Deliverable } from "../resources/deliverable.ts";
import { Feedback } from "../resources/feedback.ts";
import { Invoice } from "../resources/invoice.ts";

/** The records behind the partner API: admins make them, and the events of specification 6 are about them. */

export const collectedVia = z.enum(paymentWays);

export const Payment = z.object({
  id,
  invoice_id: id,
  amount: money,
  currency,
  collected_via: collectedVia,
  created_at: timestamp,
  invoice: Invoice.meta({ description: "As the payment left it" }),
});
export type Payment = z.output<typeof Payment>;

export const RevisionOverride = z.object({
  id,
  project_id: id,
  rounds: z.int(),
  reason: z.string(),
  created_by: id,
  created_at: timestamp,
});
export type RevisionOverride = z.output<typeof RevisionOverride>;

export const RecordedFeedback = Feedback.extend({
  deliverable: Deliverable.meta({ description: "As the feedback left it" }),
});
export type RecordedFeedback = z.output<typeof RecordedFeedback>;

export const SignOff = z.object({
  id,
  deliverable_id: id,
  version_number: z.int(),
  signer_name: z.string(),
  created_at: timestamp,
  deliverable: Deliverable.meta({ description: "As the sign-off left it" }),
});
export type SignOff = z.output<typeof SignOff>;

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

export const decisionKind = z.enum(changeDecisionKinds);

export const ChangeDecision = z.object({
  id,
  project_id: id,
  title: z.string(),
  kind: decisionKind,
  status: z.enum(changeDecisionStatuses),
  created_at: timestamp,
  updated_at: timestamp,
});
export type ChangeDecision = z.output<typeof ChangeDecision>;

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
