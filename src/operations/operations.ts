import { cellOperations } from "./cells.ts";
import { changeOperations } from "./changes.ts";
import { clientOperations } from "./clients.ts";
import { depositOperations } from "./deposits.ts";
import { invoiceOperations } from "./invoices.ts";
import { keyOperations } from "./keys.ts";
import { lifecycleOperations } from "./lifecycle.ts";
import { mailOperations } from "./mails.ts";
import type { AdminOperations } from "./operation.ts";
import { organizationOperations } from "./organizations.ts";
import { originOperations } from "./origins.ts";
import { processorOperations } from "./processor.ts";
import { projectOperations } from "./projects.ts";
import { requestOperations } from "./requests.ts";
import { reviewOperations } from "./reviews.ts";
import { tokenOperations } from "./tokens.ts";
import { webhookOperations } from "./webhooks.ts";

/** Every admin operation (contract O5) by its command-line name. */
export const operations: AdminOperations = {
  ...organizationOperations,
  ...cellOperations,
  ...tokenOperations,
  ...requestOperations,
  ...originOperations,
  ...keyOperations,
  ...clientOperations,
  ...projectOperations,
  ...invoiceOperations,
  ...reviewOperations,
  ...changeOperations,
  ...depositOperations,
  ...webhookOperations,
  ...processorOperations,
  ...mailOperations,
  ...lifecycleOperations,
};
