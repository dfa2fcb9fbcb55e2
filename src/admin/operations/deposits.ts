import * as z from "zod";
import { amountInput, idInput } from "../../contract/fields.ts";
import { collectedVia, Deposit } from "../../contract/workspace/records.ts";
import { clearDeposit } from "../../domain/deposits/clear-deposit.ts";
import { createDeposit } from "../../domain/deposits/create-deposit.ts";
import { type AdminOperations, workspaceOperation } from "../operation.ts";

export const depositOperations: AdminOperations = {
  "create-deposit": workspaceOperation({
    summary: "Ask for a deposit that the project's kickoff waits for",
    action: "create deposits",
    input: z.strictObject({ project: idInput, amount: amountInput }),
    answer: Deposit,
    run: createDeposit,
  }),

  "clear-deposit": workspaceOperation({
    summary: "Record that a deposit has arrived: the kickoff gate releases",
    action: "clear deposits",
    input: z.strictObject({ id: idInput, collected_via: collectedVia.default("offline") }),
    answer: Deposit,
    run: (context, { id, collected_via }) => clearDeposit(context, id, collected_via),
  }),
};
