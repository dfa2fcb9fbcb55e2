import * as z from "zod";
import { processorOutcomes } from "../contract/closed-sets.ts";
import { amountInput, idInput } from "../contract/fields.ts";
import { run } from "../db/query.ts";
import { matchProcessorEvent } from "../payments/match-event.ts";
import { findProcessorEvent, listProcessorEvents } from "../payments/read-events.ts";
import { ProcessorEventRecord } from "../payments/record.ts";
import { type AdminOperations, workspaceOperation } from "./operation.ts";

const maxEvents = 200;

export const processorOperations: AdminOperations = {
  "list-processor-events": workspaceOperation({
    summary: "List the payment processor's events and their outcomes",
    reads: true,
    action: "list processor events",
    input: z.strictObject({
      outcome: z.enum(processorOutcomes).optional(),
      limit: z.int().min(1).max(maxEvents).default(50),
    }),
    answer: z.array(ProcessorEventRecord),
    run: listProcessorEvents,
  }),

  "match-processor-event": workspaceOperation({
    summary:
      "Assign an unmatched payment to an invoice; if the currencies differ, `amount` is its value in the invoice's " +
      "currency",
    action: "match processor events",
    input: z.strictObject({
      id: z.string().min(1).max(255),
      invoice: idInput,
      amount: amountInput.optional(),
    }),
    answer: ProcessorEventRecord,
    run: matchProcessorEvent,
    again: (context, { details }) =>
      run(context.services.db, findProcessorEvent(context, String(details.event))),
  }),
};
