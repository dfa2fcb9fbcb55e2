import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { presentRoles, roles } from "../../contract/closed-sets.ts";
import { createdAt, flag, now, randomId, stamps } from "./columns.ts";
import { rules } from "./rules.ts";

/** Who a workspace is, who may act for it, what its plan allows (migrations/0001 and 0002). */

export const currencies = sqliteTable("currencies", {
  code: text().primaryKey(),
  minor_units_per_unit: integer().notNull(),
});

export const plans = sqliteTable("plans", {
  name: text().primaryKey(),
  api_access: flag().notNull(),
  requests_per_minute: integer().notNull(),
  deliverable_cap: integer(),
  mails_per_day: integer().notNull().default(50),
  storage_mb: integer(),
  records_cap: integer(),
});

export const organizations = sqliteTable("organizations", {
  id: text().primaryKey(),
  slug: text().notNull(),
  name: text().notNull(),
  plan: text().notNull(),
  currency: text().notNull().default("USD"),
  features: text({ mode: "json" }).$type<string[]>().notNull().default([]),
  on_send_status_label: text(),
  deliverable_count: integer().notNull().default(0),
  next_invoice_number: integer().notNull().default(1),
  ...stamps,
  storage_bytes: integer().notNull().default(0),
  record_count: integer().notNull().default(0),
});

export const members = sqliteTable("members", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  email: text().notNull(),
  name: text(),
  role: text({ enum: roles }).notNull(),
  ...stamps,
});

/** People who were invited and have not accepted yet: no members. */
export const invitations = sqliteTable("invitations", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  email: text().notNull(),
  name: text(),
  role: text({ enum: presentRoles }).notNull(),
  token_hash: text().notNull(),
  created_by: text().notNull(),
  expires_at: text().notNull(),
  accepted_at: text(),
  ...stamps,
});

export const apiTokens = sqliteTable("api_tokens", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  name: text().notNull(),
  token_hash: text().notNull(),
  token_prefix: text().notNull(),
  scopes: text({ mode: "json" }).$type<string[]>().notNull(),
  has_api_access: flag().notNull().default(false),
  created_by: text().notNull(),
  ...createdAt,
  revoked_at: text(),
});

export const auditLog = sqliteTable("audit_log", {
  /** In the order in which lines were written. */
  sequence: integer().primaryKey(),
  id: text().notNull().default(randomId),
  organization_id: text().notNull(),
  actor: text().notNull(),
  /** The caller of the operation who held the platform's keys, as their machine names them. */
  operator: text(),
  action: text().notNull(),
  subject_id: text(),
  details: text({ mode: "json" }).$type<Record<string, unknown>>().notNull().default({}),
  ...createdAt,
});

/** The ledger: a line for each request that changed something, whichever door it came through (domain/ledger.ts). */
export const requests = sqliteTable(
  "requests",
  {
    organization_id: text().notNull(),
    key: text().notNull(),
    fingerprint: text().notNull(),
    request_id: text().notNull(),
    actor: text().notNull(),
    action: text().notNull(),
    subject_id: text().notNull(),
    details: text({ mode: "json" }).$type<Record<string, unknown>>().notNull().default({}),
    answer: text(),
    secret_encrypted: text(),
    lease_ends_at: text(),
    ...createdAt,
  },
  (table) => [primaryKey({ columns: [table.organization_id, table.key] })],
);

/** Where the links of review mails may lead beside the application's own origin. */
export const allowedOrigins = sqliteTable("allowed_origins", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  origin: text().notNull(),
  created_by: text().notNull(),
  ...createdAt,
});

/** Mails of a day to each address, by their kind; address "": those that the plan bounds, to all addresses. */
export const mailCounts = sqliteTable(
  "mail_counts",
  {
    day: text().notNull(),
    organization_id: text().notNull(),
    address: text().notNull(),
    mails: integer().notNull().default(0),
    invitations: integer().notNull().default(0),
    notices: integer().notNull().default(0),
    sign_in_links: integer().notNull().default(0),
    held_notices: integer().notNull().default(0),
    digest_leased_until: text(),
  },
  (table) => [primaryKey({ columns: [table.day, table.organization_id, table.address] })],
);

/** Every image that a row refers to. */
export const storedImages = sqliteTable("stored_images", {
  path: text().primaryKey(),
  organization_id: text().notNull(),
  bytes: integer().notNull(),
  ...createdAt,
});

/** At which share of the database's size the operator was mailed. */
export const sizeNotices = sqliteTable("size_notices", {
  percent: integer().primaryKey(),
  leased_at: text().notNull().default(now),
  mailed_at: text(),
});

/** The organization whose rows one batch erases; no row outlives its batch. */
export const erasures = sqliteTable("erasures", { id: text().primaryKey() });

export const workspaceRules = [
  // Counters are no edit: they would cost a write for every deliverable made.
  rules(organizations, {
    stamped: { of: ["slug", "name", "plan", "currency", "features", "on_send_status_label"] },
  }),
  rules(members, { stamped: true }),
  rules(invitations, { stamped: true }),
  rules(auditLog, { writtenOnce: true, kept: true }),
  rules(storedImages, { counted: { by: { storage_bytes: ({ bytes }) => bytes } } }),
];
