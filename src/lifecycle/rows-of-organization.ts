import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { auditLog } from "../core/audit-log/tables.ts";
import { webhookDeliveries as deliveries, events } from "../core/events/tables.ts";
import { storedImages } from "../core/images/tables.ts";
import { ledger } from "../core/ledger/tables.ts";
import { mailCounts, memberMails } from "../core/mails/tables.ts";
import { unsentFacts } from "../core/surviving-facts/tables.ts";
import { processorEvents } from "../payments/tables.ts";
import { reviewCodes, reviewKeys } from "../review/access/tables.ts";
import { deliverableSends, deliverables, deliverableVersions } from "../review/deliverables/tables.ts";
import { scopeRequestEvidence } from "../review/evidence/tables.ts";
import { feedback } from "../review/feedback/tables.ts";
import { reviewNotices } from "../review/notices/tables.ts";
import { reviewOpenings } from "../review/openings/tables.ts";
import { signOffs } from "../review/sign-offs/tables.ts";
import { webhookAttempts as attempts } from "../webhooks/deliveries/tables.ts";
import { webhookEndpoints } from "../webhooks/endpoints/tables.ts";
import { changeDecisions } from "../work/change-decisions/tables.ts";
import { changeOrders } from "../work/change-orders/tables.ts";
import { clients } from "../work/clients/tables.ts";
import { deposits } from "../work/deposits/tables.ts";
import { invoiceLineItems, invoices, paymentReversals, payments } from "../work/invoices/tables.ts";
import { milestones, projects, revisionOverrides } from "../work/projects/tables.ts";
import { timeEntries } from "../work/time-entries/tables.ts";
import { brands } from "../workspace/brands/tables.ts";
import { connections } from "../workspace/connections/tables.ts";
import { invitations, members } from "../workspace/members/tables.ts";
import { organizations } from "../workspace/organizations/tables.ts";
import { allowedOrigins } from "../workspace/origins/tables.ts";
import { apiTokens } from "../workspace/tokens/tables.ts";

/**
 * A table whose rows belong to organizations, and the key for finding one organization's rows without reading others.
 */
export interface OwnRows {
  table: SQLiteTable;
  organization: SQLiteColumn;
  /** The columns that follow the organization in an index, unique within it. */
  key: readonly SQLiteColumn[];
  from: SQL;
}

/** Declares a table and its key: the names of the columns that follow the organization. */
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

/** No table refers to a later one, so an export reads the list downwards and an erasure deletes upwards. */
export const ownTables: readonly OwnRows[] = [
  {
    table: organizations,
    organization: organizations.id,
    key: [organizations.id],
    from: sql`${organizations}`,
  },
  own(brands, "organization_id"),
  own(members, "id"),
  own(invitations, "email"),
  own(apiTokens, "created_at", "id"),
  own(unsentFacts, "subject_id"),
  own(allowedOrigins, "origin"),
  own(clients, "id"),
  own(projects, "id"),
  own(milestones, "project_id", "id"),
  own(revisionOverrides, "project_id", "id"),
  own(deposits, "project_id", "id"),
  own(changeOrders, "project_id", "id"),
  own(changeDecisions, "project_id", "id"),
  own(invoices, "id"),
  own(timeEntries, "id"),
  own(invoiceLineItems, "invoice_id", "id"),
  own(payments, "invoice_id", "id"),
  own(paymentReversals, "invoice_id", "id"),
  own(processorEvents, "received_at", "id"),
  own(deliverables, "id"),
  own(deliverableVersions, "deliverable_id", "id"),
  own(deliverableSends, "deliverable_id", "id"),
  own(feedback, "id"),
  own(signOffs, "id"),
  own(reviewKeys, "deliverable_id", "key_hash"),
  own(reviewCodes, "deliverable_id", "id"),
  own(reviewOpenings, "deliverable_id", "day", "version_number", "visitor"),
  own(reviewNotices, "deliverable_id", "id"),
  own(scopeRequestEvidence, "external_id"),
  own(storedImages, "path"),
  own(mailCounts, "address", "day"),
  own(memberMails, "email", "message_id"),
  own(webhookEndpoints, "id"),
  own(connections, "id"),
  own(events, "sequence"),
  own(deliveries, "created_at", "id"),
  {
    table: attempts,
    organization: deliveries.organization_id,
    key: [deliveries.created_at, deliveries.id, attempts.attempted_at],
    from: sql`${deliveries} JOIN ${attempts} ON ${eq(attempts.delivery_id, deliveries.id)}`,
  },
  own(auditLog, "created_at", "sequence"),
  own(ledger, "key"),
];

export const nameOf = (table: SQLiteTable): string => getTableConfig(table).name;

const listed = (parts: readonly unknown[]) =>
  sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  );

/** Selects an organization's rows in key order, from the start or after a given key. */
export function selectOwn(
  { from, organization, key }: OwnRows,
  selected: readonly unknown[],
  page: { organizationId: string; after?: readonly unknown[]; limit: number },
): SQL {
  const after = page.after ? sql`AND (${listed(key)}) > (${listed(page.after)})` : sql``;
  return sql`SELECT ${listed(selected)} FROM ${from} WHERE ${organization} = ${page.organizationId} ${after}
    ORDER BY ${listed(key)} LIMIT ${page.limit}`;
}
