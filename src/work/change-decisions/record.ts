import * as z from "zod";
import { changeDecisionKinds, changeDecisionStatuses } from "../../contract/closed-sets.ts";
import { id, timestamp } from "../../contract/fields.ts";

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
