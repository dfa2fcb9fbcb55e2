import { eq, type SQL, sql } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { paymentReversals, processorEvents } from "./schema/processor.ts";
import * as review from "./schema/review.ts";
import * as webhooks from "./schema/webhooks.ts";
import * as work from "./schema/work.ts";
import * as workspace from "./schema/workspace.ts";

/** A table whose rows belong to organizations, and how those of one are found without a look at those of others. */
export interface OwnRows {
  table: SQLiteTable;
  organization: SQLiteColumn;
  /** What stands behind the organization in an index, and is unique there. */
  key: readonly SQLiteColumn[];
  from: SQL;
}

const own = (table: SQLiteTable & { organization_id: SQLiteColumn }, ...key: SQLiteColumn[]): OwnRows => ({
  table,
  organization: table.organization_id,
  key,
  from: sql`${table}`,
});

const { webhookAttempts: attempts, webhookDeliveries: deliveries } = webhooks;

/** Each refers to none below it: an export reads them downwards, an erasure deletes them upwards. */
export const ownTables: readonly OwnRows[] = [
  {
    table: workspace.organizations,
    organization: workspace.organizations.id,
    key: [workspace.organizations.id],
    from: sql`${workspace.organizations}`,
  },
  own(workspace.members, workspace.members.id),
  own(workspace.apiTokens, workspace.apiTokens.created_at, workspace.apiTokens.id),
  own(workspace.allowedOrigins, workspace.allowedOrigins.origin),
  own(work.clients, work.clients.id),
  own(work.projects, work.projects.id),
  own(work.milestones, work.milestones.project_id, work.milestones.id),
  own(work.revisionOverrides, work.revisionOverrides.project_id, work.revisionOverrides.id),
  own(review.deposits, review.deposits.project_id, review.deposits.id),
  own(review.changeOrders, review.changeOrders.project_id, review.changeOrders.id),
  own(review.changeDecisions, review.changeDecisions.project_id, review.changeDecisions.id),
  own(work.invoices, work.invoices.id),
  own(work.timeEntries, work.timeEntries.id),
  own(work.invoiceLineItems, work.invoiceLineItems.invoice_id, work.invoiceLineItems.id),
  own(work.payments, work.payments.invoice_id, work.payments.id),
  own(paymentReversals, paymentReversals.invoice_id, paymentReversals.id),
  own(processorEvents, processorEvents.received_at, processorEvents.id),
  own(review.deliverables, review.deliverables.id),
  own(review.deliverableVersions, review.deliverableVersions.deliverable_id, review.deliverableVersions.id),
  own(review.deliverableSends, review.deliverableSends.deliverable_id, review.deliverableSends.id),
  own(review.feedback, review.feedback.id),
  own(review.signOffs, review.signOffs.id),
  own(review.reviewKeys, review.reviewKeys.deliverable_id, review.reviewKeys.key_hash),
  own(review.reviewCodes, review.reviewCodes.deliverable_id, review.reviewCodes.id),
  own(review.reviewNotices, review.reviewNotices.deliverable_id, review.reviewNotices.id),
  own(review.scopeRequestEvidence, review.scopeRequestEvidence.external_id),
  own(workspace.storedImages, workspace.storedImages.path),
  own(workspace.mailCounts, workspace.mailCounts.address, workspace.mailCounts.day),
  own(webhooks.webhookEndpoints, webhooks.webhookEndpoints.id),
  own(webhooks.events, webhooks.events.sequence),
  own(deliveries, deliveries.created_at, deliveries.id),
  {
    table: attempts,
    organization: deliveries.organization_id,
    key: [deliveries.created_at, deliveries.id, attempts.attempted_at],
    from: sql`${deliveries} JOIN ${attempts} ON ${eq(attempts.delivery_id, deliveries.id)}`,
  },
  own(workspace.auditLog, workspace.auditLog.created_at, workspace.auditLog.sequence),
];

export const nameOf = (table: SQLiteTable): string => getTableConfig(table).name;

const listed = (parts: readonly unknown[]) =>
  sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  );

/** Selects rows of an organization by their key, in its order: behind one, or from the first. */
export function selectOwn(
  { from, organization, key }: OwnRows,
  selected: readonly unknown[],
  page: { organizationId: string; after?: readonly unknown[]; limit: number },
): SQL {
  const behind = page.after ? sql`AND (${listed(key)}) > (${listed(page.after)})` : sql``;
  return sql`SELECT ${listed(selected)} FROM ${from} WHERE ${organization} = ${page.organizationId} ${behind}
    ORDER BY ${listed(key)} LIMIT ${page.limit}`;
}
