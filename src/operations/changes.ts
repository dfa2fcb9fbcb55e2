import * as z from "zod";
import { idInput, line, moneyInput } from "../contract/fields.ts";
import { limits } from "../contract/limits.ts";
import { ChangeDecision, decisionKind } from "../work/change-decisions/record.ts";
import { findChangeDecision, sendChangeDecision } from "../work/change-decisions/send-change-decision.ts";
import { createChangeOrder } from "../work/change-orders/create-change-order.ts";
import { findChangeOrder } from "../work/change-orders/find-change-order.ts";
import { moveChangeOrder } from "../work/change-orders/move-change-order.ts";
import { ChangeOrder } from "../work/change-orders/record.ts";
import { type AdminOperations, bySubject, workspaceOperation } from "./operation.ts";

const moving = (summary: string, action: string, status: "sent" | "signed" | "declined") =>
  workspaceOperation({
    summary,
    action,
    input: z.strictObject({ id: idInput }),
    answer: ChangeOrder,
    run: (context, { id }) => moveChangeOrder(context, id, status),
    again: bySubject(findChangeOrder),
  });

export const changeOperations: AdminOperations = {
  "create-change-order": workspaceOperation({
    summary: "Draft a change order in the project's currency",
    action: "create change orders",
    input: z.strictObject({ project: idInput, title: line(1, limits.titleCharacters), amount: moneyInput }),
    answer: ChangeOrder,
    run: createChangeOrder,
    again: bySubject(findChangeOrder),
  }),
  "send-change-order": moving("Send a change order for signing", "send change orders", "sent"),
  "sign-change-order": moving("Record the signature of a sent change order", "sign change orders", "signed"),
  "decline-change-order": moving(
    "Record that a sent change order was declined",
    "decline change orders",
    "declined",
  ),

  "send-change-decision": workspaceOperation({
    summary: "Send a client a change decision or milestone gate",
    action: "send change decisions",
    input: z.strictObject({
      project: idInput,
      title: line(1, limits.titleCharacters),
      kind: decisionKind.default("decision"),
    }),
    answer: ChangeDecision,
    run: sendChangeDecision,
    again: bySubject(findChangeDecision),
  }),
};
