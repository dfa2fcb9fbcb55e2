import { is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import * as auditLog from "./core/audit-log/tables.ts";
import * as events from "./core/events/tables.ts";
import * as images from "./core/images/tables.ts";
import * as requestsGuards from "./core/ledger/guards.ts";
import * as requests from "./core/ledger/tables.ts";
import * as mails from "./core/mails/tables.ts";
import * as operator from "./core/operator/tables.ts";
import * as survivingFactsGuards from "./core/surviving-facts/guards.ts";
import * as keptFacts from "./core/surviving-facts/tables.ts";
import * as erasing from "./db/erasing.ts";
import * as fencing from "./db/fencing.ts";
import * as importing from "./db/importing.ts";
import * as moving from "./db/moving.ts";
import type { TableRules } from "./db/rules.ts";
import { bookkeeping, closedSets, fenced, noted, organizationKept } from "./db/table-rules.ts";
import type { Statement } from "./db/trigger.ts";
import * as paymentsGuards from "./payments/guards.ts";
import * as payments from "./payments/tables.ts";
import * as accessGuards from "./review/access/guards.ts";
import * as access from "./review/access/tables.ts";
import * as deliverablesGuards from "./review/deliverables/guards.ts";
import * as deliverables from "./review/deliverables/tables.ts";
import * as evidenceGuards from "./review/evidence/guards.ts";
import * as evidence from "./review/evidence/tables.ts";
import * as feedbackGuards from "./review/feedback/guards.ts";
import * as feedback from "./review/feedback/tables.ts";
import * as notices from "./review/notices/tables.ts";
import * as openingsGuards from "./review/openings/guards.ts";
import * as openings from "./review/openings/tables.ts";
import * as returnedMailsGuards from "./review/returned-mails/guards.ts";
import * as signOffsGuards from "./review/sign-offs/guards.ts";
import * as signOffs from "./review/sign-offs/tables.ts";
import * as deliveriesGuards from "./webhooks/deliveries/guards.ts";
import * as deliveries from "./webhooks/deliveries/tables.ts";
import * as endpoints from "./webhooks/endpoints/tables.ts";
import { webhookEvents } from "./webhooks/events.ts";
import * as changeDecisionsGuards from "./work/change-decisions/guards.ts";
import * as changeDecisions from "./work/change-decisions/tables.ts";
import * as changeOrdersGuards from "./work/change-orders/guards.ts";
import * as changeOrders from "./work/change-orders/tables.ts";
import * as clientsGuards from "./work/clients/guards.ts";
import * as clients from "./work/clients/tables.ts";
import * as depositsGuards from "./work/deposits/guards.ts";
import * as deposits from "./work/deposits/tables.ts";
import * as invoicesGuards from "./work/invoices/guards.ts";
import * as invoices from "./work/invoices/tables.ts";
import * as projectsGuards from "./work/projects/guards.ts";
import * as projects from "./work/projects/tables.ts";
import * as timeEntries from "./work/time-entries/tables.ts";
import * as brands from "./workspace/brands/tables.ts";
import * as connections from "./workspace/connections/tables.ts";
import * as directoryGuards from "./workspace/directory/guards.ts";
import * as directory from "./workspace/directory/tables.ts";
import * as membersGuards from "./workspace/members/guards.ts";
import * as members from "./workspace/members/tables.ts";
import * as organizationsGuards from "./workspace/organizations/guards.ts";
import * as organizations from "./workspace/organizations/tables.ts";
import * as originsGuards from "./workspace/origins/guards.ts";
import * as origins from "./workspace/origins/tables.ts";
import * as sessionsGuards from "./workspace/sessions/guards.ts";
import * as sessions from "./workspace/sessions/tables.ts";
import * as tokensGuards from "./workspace/tokens/guards.ts";
import * as tokens from "./workspace/tokens/tables.ts";

/** The whole database, as declared by its subjects. `npm run migration` writes the missing migrations. */

const declared = [
  payments,
  access,
  deliverables,
  evidence,
  feedback,
  notices,
  openings,
  signOffs,
  deliveries,
  endpoints,
  changeDecisions,
  changeOrders,
  clients,
  deposits,
  invoices,
  projects,
  timeEntries,
  auditLog,
  brands,
  connections,
  directory,
  events,
  images,
  keptFacts,
  mails,
  members,
  operator,
  organizations,
  origins,
  requests,
  sessions,
  tokens,
  erasing,
  fencing,
  importing,
  moving,
].flatMap((each): unknown[] => Object.values(each));

export const tables = declared.filter((each) => is(each, SQLiteTable));

const rules = declared.filter(Array.isArray).flat() as TableRules[];

const writtenOnce = new Set(rules.flatMap((each) => (each.writtenOnce ? [each.table] : [])));

const guards = [
  paymentsGuards,
  accessGuards,
  deliverablesGuards,
  evidenceGuards,
  feedbackGuards,
  openingsGuards,
  returnedMailsGuards,
  signOffsGuards,
  deliveriesGuards,
  changeDecisionsGuards,
  changeOrdersGuards,
  clientsGuards,
  depositsGuards,
  invoicesGuards,
  projectsGuards,
  directoryGuards,
  membersGuards,
  organizationsGuards,
  originsGuards,
  survivingFactsGuards,
  requestsGuards,
  sessionsGuards,
  tokensGuards,
].flatMap((each): Statement[] => Object.values(each).flat());

export const triggers: readonly Statement[] = [
  ...rules.flatMap((each) => bookkeeping(each, organizations.organizations)),
  ...tables.flatMap((table) => closedSets(table)),
  ...tables.filter((table) => !writtenOnce.has(table)).flatMap(organizationKept),
  ...tables.flatMap((table) => fenced(table, organizations.organizations)),
  ...tables.flatMap((table) => noted(table, organizations.organizations)),
  ...guards,
  ...Object.values(webhookEvents).flatMap((event) => event.triggers()),
];
