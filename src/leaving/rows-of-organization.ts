import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import * as review from "../db/schema/review.ts";
import * as webhooks from "../db/schema/webhooks.ts";
import * as work from "../db/schema/work.ts";
import * as workspace from "../db/schema/workspace.ts";
import { processorEvents } from "../payments/tables.ts";
import { paymentReversals } from "../work/invoices/tables.ts";

/**
 * A table whose rows belong to organizations, and the key by which the rows of one are found without reading others.
 */
export interface OwnRows {
  table: SQLiteTable;
  organization: SQLiteColumn;
  /** The columns behind the organization in an index; they are unique within it. */
  key: readonly SQLiteColumn[];
  from: SQL;
}

/** A table with its key: the names of the columns behind the organization. */
const own = <T extends SQLiteTable & { organization_id: SQLiteColumn }>(
  table: T,
  ...key: (keyof T["_"]["columns"] & string)[]
): OwnRows => {
  const columns: Record<string, SQLiteColumn> = getTableColumns(table);
  return {
    table,
    organization: table.organization_id,
    key: key.map((name) => columns[name] as SQLiteColumn),
    from: sql`${table}`,
  };
};

const { webhookAttempts: attempts, webhookDeliveries: deliveries } = webhooks;

/** No table refers to one below it, so an export reads the list downwards and an erasure deletes it upwards. */
export const ownTables: readonly OwnRows[] = [
  {
    table: workspace.organizations,
    organization: workspace.organizations.id,
    key: [workspace.organizations.id],
    from: sql`${workspace.organizations}`,
  },
  own(workspace.members, "id"),
  own(workspace.invitations, "email"),
  own(workspace.apiTokens, "created_at", "id"),
  own(workspace.allowedOrigins, "origin"),
  own(work.clients, "id"),
  own(work.projects, "id"),
  own(work.milestones, "project_id", "id"),
  own(work.revisionOverrides, "project_id", "id"),
  own(review.deposits, "project_id", "id"),
  own(review.changeOrders, "project_id", "id"),
  own(review.changeDecisions, "project_id", "id"),
  own(work.invoices, "id"),
  own(work.timeEntries, "id"),
  own(work.invoiceLineItems, "invoice_id", "id"),
  own(work.payments, "invoice_id", "id"),
  own(paymentReversals, "invoice_id", "id"),
  own(processorEvents, "received_at", "id"),
  own(review.deliverables, "id"),
  own(review.deliverableVersions, "deliverable_id", "id"),
  own(review.deliverableSends, "deliverable_id", "id"),
  own(review.feedback, "id"),
  own(review.signOffs, "id"),
  own(review.reviewKeys, "deliverable_id", "key_hash"),
  own(review.reviewCodes, "deliverable_id", "id"),
  own(review.reviewNotices, "deliverable_id", "id"),
  own(review.scopeRequestEvidence, "external_id"),
  own(workspace.storedImages, "path"),
  own(workspace.mailCounts, "address", "day"),
  own(webhooks.webhookEndpoints, "id"),
  own(webhooks.events, "sequence"),
  own(deliveries, "created_at", "id"),
  {
    table: attempts,
    organization: deliveries.organization_id,
    key: [deliveries.created_at, deliveries.id, attempts.attempted_at],
    from: sql`${deliveries} JOIN ${attempts} ON ${eq(attempts.delivery_id, deliveries.id)}`,
  },
  own(workspace.auditLog, "created_at", "sequence"),
  own(workspace.requests, "key"),
];

export const nameOf = (table: SQLiteTable): string => getTableConfig(table).name;

const listed = (parts: readonly unknown[]) =>
  sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  );

/** Selects rows of an organization in the order of their key, from the first or behind a given key. */
export function selectOwn(
  { from, organization, key }: OwnRows,
  selected: readonly unknown[],
  page: { organizationId: string; after?: readonly unknown[]; limit: number },
): SQL {
  const behind = page.after ? sql`AND (${listed(key)}) > (${listed(page.after)})` : sql``;
  return sql`SELECT ${listed(selected)} FROM ${from} WHERE ${organization} = ${page.organizationId} ${behind}
    ORDER BY ${listed(key)} LIMIT ${page.limit}`;
}
