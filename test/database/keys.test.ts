import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import { tables as allTables } from "../../src/database.ts";
import { PageParameters } from "../../src/http/pagination.ts";
import { nameOf, ownTables } from "../../src/lifecycle/rows-of-organization.ts";
import { makeFilledWorkspace, sql } from "../support/filled-workspace.ts";
import { listRoutes } from "../support/requests.ts";
import { type Collection, tableOf } from "../support/seed.ts";
import { everyRowOf, makeWholeWorkspace } from "../support/whole-workspace.ts";

/** Every table whose rows belong to an organization, and its columns. */
const tables = allTables
  .map((table) => getTableConfig(table))
  .map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) }))
  .filter(({ columns }) => columns.includes("organization_id"));

/** Ids from other systems (a partner, the payment processor), request ids and subject ids are not foreign keys. */
const isReference = (column: string) =>
  /_id$|^created_by$|^sent_by$/.test(column) &&
  !column.startsWith("processor_") &&
  !["organization_id", "external_id", "form_id", "subject_id", "request_id", "message_id"].includes(column);

async function keysOf(table: string): Promise<string[]> {
  const rows = await sql<{ id: number; column: string }>(
    'SELECT id, "from" AS column FROM pragma_foreign_key_list(?) ORDER BY id, seq',
    table,
  );
  return Object.values(Object.groupBy(rows, ({ id }) => id)).map((key = []) =>
    key.map(({ column }) => column).join(),
  );
}

/**
 * Including the organization in these foreign keys would need another index on events or deliveries, which costs a row
 * per webhook.
 */
const withoutOrganization = ["webhook_deliveries.event_id", "webhook_attempts.delivery_id"];

/** On a delete, SQLite looks up the rows that refer to the deleted row. It must not scan the whole table. */
it.each(tables)("every foreign key in $name has an index", async ({ name }) => {
  const keys = [...(await keysOf(name))].filter((key) => key !== "currency");
  for (const key of keys) {
    const where = key.split(",").map((column) => `${column} = 'x'`);
    const plan = await sql<{ detail: string }>(
      `EXPLAIN QUERY PLAN SELECT 1 FROM ${name} WHERE ${where.join(" AND ")}`,
    );
    expect([key, plan.map(({ detail }) => detail).join()]).toEqual([key, expect.stringMatching(/^SEARCH /)]);
  }
});

describe("each foreign key", () => {
  it.each(tables)("in $name includes organization_id", async ({ name, columns }) => {
    const keys = await keysOf(name);
    const hasKey = (...key: string[]) => keys.includes(key.join());
    const isKept = (column: string) =>
      hasKey("organization_id", column) ||
      (column === "project_id" && hasKey("client_id", column) && hasKey("organization_id", "client_id")) ||
      (hasKey(column) && withoutOrganization.includes(`${name}.${column}`));
    expect(columns.filter((column) => isReference(column) && !isKept(column))).toEqual([]);
    expect(hasKey("organization_id")).toBe(name !== "webhook_attempts");
  });
});

it("a row cannot move to another organization in any table", async () => {
  const [here, there] = [await makeWholeWorkspace(), await makeFilledWorkspace()];
  const rows = await everyRowOf(here);
  rows.delete("organizations");
  expect([...rows.keys()].sort()).toEqual(tables.map(({ name }) => name).sort());
  for (const [table, { length }] of rows) {
    expect(length, table).toBeGreaterThan(0);
    const moved = sql(
      `UPDATE ${table} SET organization_id = ? WHERE organization_id = ?`,
      there.organizationId,
      here.organizationId,
    );
    await expect(moved, table).rejects.toThrow(/organization_kept|immutable/);
  }
});

async function uniqueSetsOf(table: string): Promise<string[][]> {
  const rows = await sql<{ index: string; column: string }>(
    `SELECT list.name AS "index", info.name AS column
     FROM pragma_index_list(?1) AS list, pragma_index_info(list.name) AS info
     WHERE list."unique" = 1 AND list.partial = 0
     UNION ALL SELECT 'primary key', name FROM pragma_table_info(?1) WHERE pk > 0`,
    table,
  );
  const sets = Object.values(Object.groupBy(rows, ({ index }) => index));
  return sets.map((set = []) => set.map(({ column }) => column));
}

it.each(ownTables.map((own) => [nameOf(own.table), own] as const))(
  "pages of %s are sorted by a unique key",
  async (name, { table, key }) => {
    const named = key.map((column) =>
      getTableConfig(column.table as SQLiteTable).name === nameOf(table)
        ? column.name
        : `delivery_${column.name}`,
    );
    const given = ["organization_id", ...named];
    const unique = await uniqueSetsOf(name);
    expect(unique.filter((set) => set.every((column) => given.includes(column)))).not.toEqual([]);
  },
);

/** List filters that do not need a separate index, because another column's index or a unique key covers them. */
const filtersWithoutOwnIndex = ["number", "is_sample", "invoiced", "from", "to"];

/** The index for each other list filter, with a search that must use it. */
const filterSearches = listRoutes.flatMap(({ route: { path, query } }): [string, string][] => {
  const table = tableOf(path.split("/")[2] as Collection);
  const filters = Object.keys(query?.shape ?? {}).filter(
    (name) => !(name in PageParameters.shape) && !filtersWithoutOwnIndex.includes(name),
  );
  return filters.map((filter) => [
    `${table}_by_${filter.replace(/(?<!external)_id$/, "")}`,
    `${table} WHERE organization_id = ? AND ${filter} = ? ORDER BY updated_at, id`,
  ]);
});

/** A query for each index, which needs the index to read only its own rows, in order. */
const searches: Record<string, string> = {
  ...Object.fromEntries(filterSearches),
  organizations_plan: "organizations WHERE plan = ?",
  organizations_by_link_prefix: "organizations WHERE link_prefix = ?",
  members_by_email: "members WHERE email = ?",
  members_present: "members WHERE organization_id = ? AND role <> 'none' ORDER BY email",
  invitations_expiring: "invitations ORDER BY expires_at",
  invitations_by_next_token: "invitations WHERE next_token_hash = ?",
  invitations_waiting: "invitations WHERE mail_due_at IS NOT NULL ORDER BY mail_due_at",
  invitations_waiting_for: "invitations WHERE email = ? AND waits_since IS NOT NULL",
  api_tokens_live: "api_tokens WHERE organization_id = ? AND revoked_at IS NULL",
  api_tokens_to_warn:
    "api_tokens WHERE expires_at IS NOT NULL AND revoked_at IS NULL AND warnings_sent < 4 AND " +
    "strftime('%Y-%m-%dT%H:%M:%fZ', expires_at, iif(warnings_sent < 2, '-14 days', '-3 days')) <= ?",
  api_tokens_newest: "api_tokens WHERE organization_id = ? ORDER BY created_at, id",
  connections_unused: "connections WHERE connected_at IS NULL ORDER BY created_at",
  audit_log_newest: "audit_log WHERE organization_id = ? ORDER BY created_at",
  audit_log_by_subject: "audit_log WHERE organization_id = ? AND subject_id = ?",
  requests_of_tokens:
    "requests WHERE organization_id = ? AND (key GLOB 'key:*' OR key GLOB 'request:*') ORDER BY created_at",
  requests_with_answer: "requests WHERE answer IS NOT NULL ORDER BY created_at",
  requests_unfinished:
    "requests WHERE answer IS NULL AND (key GLOB 'form:*' OR key GLOB 'review:*' OR key GLOB 'operation:*' " +
    "OR key GLOB 'reminder:*') ORDER BY created_at",
  service_requests_by_age: "service_requests ORDER BY created_at",
  requests_with_secret: "requests WHERE secret_encrypted IS NOT NULL ORDER BY created_at",
  sign_in_links_by_email: "sign_in_links WHERE email = ? ORDER BY created_at",
  sign_in_links_expiring: "sign_in_links ORDER BY expires_at",
  sessions_by_email: "sessions WHERE email = ?",
  sessions_unused: "sessions ORDER BY last_used_at",
  mail_counts_held: "mail_counts WHERE organization_id = ? AND held_notices > 0 ORDER BY day",
  mail_counts_of_addresses: "mail_counts WHERE day = ? AND address = ? AND address <> ''",
  mail_counts_by_address: "mail_counts WHERE organization_id = ? AND address = ?",
  stored_images_of_organization: "stored_images WHERE organization_id = ?",
  clients_changed: "clients WHERE organization_id = ? ORDER BY updated_at, id",
  clients_sample: "clients WHERE organization_id = ? AND is_sample = 1 ORDER BY updated_at, id",
  deliverables_sample: "deliverables WHERE organization_id = ? AND is_sample = 1 ORDER BY updated_at, id",
  clients_by_sort_name: "clients WHERE organization_id = ? AND status = ? ORDER BY sort_name, id",
  projects_changed: "projects WHERE organization_id = ? ORDER BY updated_at, id",
  time_entries_invoiced:
    "time_entries WHERE organization_id = ? AND invoice_id IS NOT NULL ORDER BY updated_at, id",
  milestones_by_project: "milestones WHERE organization_id = ? AND project_id = ?",
  revision_overrides_by_project: "revision_overrides WHERE organization_id = ? AND project_id = ?",
  invoices_changed: "invoices WHERE organization_id = ? ORDER BY updated_at, id",
  invoices_unsettled:
    "invoices WHERE status IN ('open', 'partially_paid') AND due_date IS NOT NULL ORDER BY due_date",
  invoices_unsettled_of:
    "invoices WHERE organization_id = ? AND status IN ('open', 'partially_paid') AND due_date IS NOT NULL " +
    "ORDER BY due_date",
  time_entries_changed: "time_entries WHERE organization_id = ? ORDER BY updated_at, id",
  time_entries_client_ref: "time_entries WHERE organization_id = ? AND client_ref = ?",
  time_entries_by_invoice: "time_entries WHERE invoice_id = ?",
  invoice_line_items_by_invoice: "invoice_line_items WHERE organization_id = ? AND invoice_id = ?",
  payments_by_invoice: "payments WHERE invoice_id = ? AND amount_minor = ?",
  payments_of_processor: "payments WHERE processor_payment_id = ?",
  payments_of_organization: "payments WHERE organization_id = ? AND invoice_id = ?",
  deliverables_to_remind: "deliverables WHERE reminder_due_at <= ? ORDER BY reminder_due_at",
  deliverables_to_remind_of:
    "deliverables WHERE organization_id = ? AND reminder_due_at IS NOT NULL ORDER BY reminder_due_at",
  deliverables_to_remind_client: "deliverables WHERE client_id = ? AND reminder_due_at IS NOT NULL",
  deliverables_changed: "deliverables WHERE organization_id = ? ORDER BY updated_at, id",
  deliverable_versions_of_organization:
    "deliverable_versions WHERE organization_id = ? AND deliverable_id = ?",
  deliverables_with_problem:
    "deliverables WHERE organization_id = ? AND delivery_problem IS NOT NULL ORDER BY updated_at",
  deliverable_sends_by_message_id: "deliverable_sends WHERE message_id = ?",
  member_mails_by_message_id: "member_mails WHERE message_id = ?",
  member_mails_by_age: "member_mails ORDER BY sent_at",
  mail_events_by_age: "mail_events ORDER BY received_at",
  deliverable_sends_by_deliverable: "deliverable_sends WHERE deliverable_id = ? ORDER BY sent_at",
  deliverable_sends_of_organization: "deliverable_sends WHERE organization_id = ? AND deliverable_id = ?",
  feedback_of_organization: "feedback WHERE organization_id = ? AND id = ?",
  feedback_by_deliverable: "feedback WHERE deliverable_id = ? ORDER BY created_at, id",
  sign_offs_of_organization: "sign_offs WHERE organization_id = ? AND id = ?",
  change_orders_by_project: "change_orders WHERE organization_id = ? AND project_id = ?",
  change_decisions_by_project: "change_decisions WHERE organization_id = ? AND project_id = ?",
  deposits_of_processor: "deposits WHERE processor_payment_id = ?",
  deposits_by_project: "deposits WHERE organization_id = ? AND project_id = ?",
  scope_request_evidence_by_client: "scope_request_evidence WHERE client_id = ? AND project_id = ?",
  review_keys_by_deliverable: "review_keys WHERE organization_id = ? AND deliverable_id = ?",
  review_keys_expiring: "review_keys ORDER BY expires_at",
  review_codes_by_email: "review_codes WHERE organization_id = ? AND email = ? ORDER BY created_at",
  review_codes_by_deliverable: "review_codes WHERE organization_id = ? AND deliverable_id = ?",
  review_codes_expiring: "review_codes ORDER BY expires_at",
  review_notices_due_of: "review_notices WHERE organization_id = ? AND due_at IS NOT NULL ORDER BY due_at",
  review_notices_by_deliverable: "review_notices WHERE organization_id = ? AND deliverable_id = ?",
  review_notices_of_feedback: "review_notices WHERE feedback_id = ? AND recipient = ?",
  review_notices_of_sign_off: "review_notices WHERE sign_off_id = ? AND recipient = ?",
  webhook_endpoints_newest: "webhook_endpoints WHERE organization_id = ? ORDER BY created_at, id",
  webhook_endpoints_to_notify:
    "webhook_endpoints WHERE organization_id = ? AND notice_due_at IS NOT NULL AND deleted_at IS NULL " +
    "ORDER BY notice_due_at",
  events_by_time: "events WHERE organization_id = ? ORDER BY created_at",
  events_in_order: "events WHERE organization_id = ? ORDER BY sequence",
  events_by_subject: "events WHERE organization_id = ? AND subject_id = ? ORDER BY sequence",
  webhook_deliveries_due:
    "webhook_deliveries WHERE organization_id = ? AND status = 'pending' AND next_attempt_at IS NOT NULL " +
    "ORDER BY next_attempt_at",
  webhook_deliveries_held: "webhook_deliveries WHERE status = 'pending' AND next_attempt_at IS NULL",
  webhook_deliveries_newest: "webhook_deliveries WHERE organization_id = ? ORDER BY created_at, id",
  webhook_deliveries_by_endpoint:
    "webhook_deliveries WHERE endpoint_id = ? AND status = ? ORDER BY settled_at, created_at",
  webhook_deliveries_by_event: "webhook_deliveries WHERE event_id = ?",
  webhook_deliveries_failed:
    "webhook_deliveries WHERE endpoint_id = ? AND failed_at IS NOT NULL ORDER BY failed_at",
  webhook_deliveries_replayed:
    "webhook_deliveries WHERE endpoint_id = ? AND replayed_at IS NOT NULL ORDER BY replayed_at",
  webhook_deliveries_of_endpoint: "webhook_deliveries WHERE endpoint_id = ? ORDER BY created_at, id",
  webhook_deliveries_dead_newest:
    "webhook_deliveries WHERE organization_id = ? AND status = 'dead' ORDER BY created_at, id",
  webhook_deliveries_dead_of_endpoint:
    "webhook_deliveries WHERE endpoint_id = ? AND status = 'dead' ORDER BY created_at, id",
  processor_events_by_payment: "processor_events WHERE processor_payment_id = ?",
  processor_events_newest: "processor_events WHERE organization_id = ? ORDER BY received_at, id",
  processor_events_unmatched: "processor_events WHERE outcome = 'unmatched'",
  processor_events_by_outcome:
    "processor_events WHERE organization_id = ? AND outcome = ? ORDER BY received_at, id",
  processor_events_by_matched_invoice: "processor_events WHERE matched_invoice_id = ?",
  payment_reversals_by_invoice: "payment_reversals WHERE invoice_id = ? AND amount_minor = ?",
  payment_reversals_by_processor_payment: "payment_reversals WHERE processor_payment_id = ?",
  payment_reversals_of_organization: "payment_reversals WHERE organization_id = ? AND invoice_id = ?",
  deliverables_by_share_token: "deliverables WHERE substr(share_url, instr(share_url, '/review/') + 8) = ?",
};

describe("every index", () => {
  it("has a query that needs it", async () => {
    const made = await sql<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name NOT GLOB '_cf_*'",
    );
    expect(made.map(({ name }) => name).sort()).toEqual(Object.keys(searches).sort());
  });

  it.each(Object.entries(searches))("is used by its query: %s", async (name, search) => {
    const plan = await sql<{ detail: string }>(
      `EXPLAIN QUERY PLAN SELECT 1 FROM ${search.replaceAll("?", "'x'")}`,
    );
    expect(plan.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(new RegExp(`USING (COVERING )?INDEX ${name}(?= |$)`)),
    ]);
  });
});
