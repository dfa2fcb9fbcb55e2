import type { AdminOperations } from "./operation.ts";
import { changeOperations } from "./operations/changes.ts";
import { clientOperations } from "./operations/clients.ts";
import { depositOperations } from "./operations/deposits.ts";
import { invoiceOperations } from "./operations/invoices.ts";
import { keyOperations } from "./operations/keys.ts";
import { leavingOperations } from "./operations/leaving.ts";
import { organizationOperations } from "./operations/organizations.ts";
import { originOperations } from "./operations/origins.ts";
import { processorOperations } from "./operations/processor.ts";
import { projectOperations } from "./operations/projects.ts";
import { reviewOperations } from "./operations/reviews.ts";
import { tokenOperations } from "./operations/tokens.ts";
import { webhookOperations } from "./operations/webhooks.ts";

/** Every admin operation (CONTRACT 7), by the name that the command line gives it. */
export const operations: AdminOperations = {
  ...organizationOperations,
  ...tokenOperations,
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
  ...leavingOperations,
};
