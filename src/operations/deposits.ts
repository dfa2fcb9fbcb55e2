import * as z from "zod";
import { amountInput, idInput } from "../contract/fields.ts";
import { clearDeposit } from "../work/deposits/clear-deposit.ts";
import { createDeposit } from "../work/deposits/create-deposit.ts";
import { findDeposit } from "../work/deposits/find-deposit.ts";
import { Deposit } from "../work/deposits/record.ts";
import { collectedVia } from "../work/invoices/record.ts";
import { type AdminOperations, bySubject, workspaceOperation } from "./operation.ts";

export const depositOperations: AdminOperations = {
  "create-deposit": workspaceOperation({
    summary: "Request a deposit that gates the project's kickoff",
    action: "create deposits",
    input: z.strictObject({ project: idInput, amount: amountInput }),
    answer: Deposit,
    run: createDeposit,
    again: bySubject(findDeposit),
  }),

  "clear-deposit": workspaceOperation({
    summary: "Record that a deposit was paid, which releases the kickoff gate",
    action: "clear deposits",
    input: z.strictObject({ id: idInput, collected_via: collectedVia.default("offline") }),
    answer: Deposit,
    run: (context, { id, collected_via }) => clearDeposit(context, id, collected_via),
    again: bySubject(findDeposit),
  }),
};
