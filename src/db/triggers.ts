import { is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { webhookEvents } from "./events.ts";
import * as processor from "./schema/processor.ts";
import * as review from "./schema/review.ts";
import * as sessions from "./schema/sessions.ts";
import * as webhooks from "./schema/webhooks.ts";
import * as work from "./schema/work.ts";
import * as workspace from "./schema/workspace.ts";
import { bookkeeping, closedSets, organizationKept } from "./table-rules.ts";
import type { Statement } from "./trigger.ts";
import { changeTriggers } from "./triggers/changes-and-deposits.ts";
import { clientSortNameTriggers } from "./triggers/client-sort-names.ts";
import { deliverableTriggers } from "./triggers/deliverables.ts";
import { dryRunTriggers } from "./triggers/dry-runs.ts";
import { reviewTriggers } from "./triggers/feedback-and-sign-offs.ts";
import { invoiceTriggers } from "./triggers/invoices.ts";
import { mailTriggers } from "./triggers/mails.ts";
import { memberTriggers } from "./triggers/members-and-tokens.ts";
import { processorTriggers } from "./triggers/processor.ts";
import { requestTriggers } from "./triggers/requests.ts";
import { roomTriggers } from "./triggers/room.ts";
import { sessionTriggers } from "./triggers/sessions.ts";
import { stampTriggers } from "./triggers/stamps.ts";
import { versionTriggers } from "./triggers/versions.ts";
import { deliveryTriggers } from "./triggers/webhook-deliveries.ts";

/** Every table of the database. */
export const tables = Object.values({
  ...workspace,
  ...work,
  ...review,
  ...webhooks,
  ...processor,
  ...sessions,
}).filter((table) => is(table, SQLiteTable));

const rules = [
  ...workspace.workspaceRules,
  ...work.workRules,
  ...review.reviewRules,
  ...webhooks.webhookRules,
  ...processor.processorRules,
];

const writtenOnce = new Set(rules.flatMap((each) => (each.writtenOnce ? [each.table] : [])));

/** Every trigger and view; `npm run migration` writes those that the migrations do not make yet. */
export const triggers: readonly Statement[] = [
  ...rules.flatMap(bookkeeping),
  ...tables.flatMap((table) => closedSets(table)),
  ...tables.filter((table) => !writtenOnce.has(table)).flatMap(organizationKept),
  ...changeTriggers,
  ...clientSortNameTriggers,
  ...deliverableTriggers,
  ...dryRunTriggers,
  ...reviewTriggers,
  ...invoiceTriggers,
  ...mailTriggers,
  ...memberTriggers,
  ...processorTriggers,
  ...requestTriggers,
  ...roomTriggers,
  ...sessionTriggers,
  ...stampTriggers,
  ...versionTriggers,
  ...deliveryTriggers,
  ...Object.values(webhookEvents).flatMap((event) => event.triggers()),
];
