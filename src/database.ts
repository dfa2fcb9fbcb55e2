import { is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import * as processor from "./db/schema/processor.ts";
import * as review from "./db/schema/review.ts";
import * as sessions from "./db/schema/sessions.ts";
import * as webhooks from "./db/schema/webhooks.ts";
import * as work from "./db/schema/work.ts";
import * as workspace from "./db/schema/workspace.ts";
import { bookkeeping, closedSets, organizationKept } from "./db/table-rules.ts";
import type { Statement } from "./db/trigger.ts";
import { changeTriggers } from "./db/triggers/changes-and-deposits.ts";
import { reviewTriggers } from "./db/triggers/feedback-and-sign-offs.ts";
import { mailTriggers } from "./db/triggers/mails.ts";
import { memberTriggers } from "./db/triggers/members-and-tokens.ts";
import { processorTriggers } from "./db/triggers/processor.ts";
import { roomTriggers } from "./db/triggers/room.ts";
import { stampTriggers } from "./db/triggers/stamps.ts";
import { versionTriggers } from "./db/triggers/versions.ts";
import { deliverableTriggers } from "./review/deliverables/guards.ts";
import { deliveryTriggers } from "./webhooks/deliveries/guards.ts";
import { webhookEvents } from "./webhooks/events.ts";
import { clientSortNameTriggers } from "./work/clients/guards.ts";
import { invoiceTriggers } from "./work/invoices/guards.ts";
import { requestTriggers } from "./workspace/requests/guards.ts";
import { sessionTriggers } from "./workspace/sessions/guards.ts";

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
