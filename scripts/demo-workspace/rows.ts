/** Builds the rows for a workspace document. Triggers add numbers, counters, review states and events. */
import { randomBytes } from "node:crypto";
import { and, eq, gt, type InferInsertModel, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { toMinor } from "../../src/contract/money.ts";
import { auditLog } from "../../src/core/audit-log/tables.ts";
import { events } from "../../src/core/events/tables.ts";
import type { Asset } from "../../src/core/images/asset.ts";
import { mailCounts } from "../../src/core/mails/tables.ts";
import { build, insertSelect, statement } from "../../src/db/build.ts";
import type { Query } from "../../src/db/query.ts";
import { deliverableSends } from "../../src/review/deliverables/tables.ts";
import { feedback } from "../../src/review/feedback/tables.ts";
import { reviewNotices } from "../../src/review/notices/tables.ts";
import { signOffs } from "../../src/review/sign-offs/tables.ts";
import { changeOrders } from "../../src/work/change-orders/tables.ts";
import { clients } from "../../src/work/clients/tables.ts";
import { payments } from "../../src/work/invoices/tables.ts";
import { brands } from "../../src/workspace/brands/tables.ts";
import { members } from "../../src/workspace/members/tables.ts";
import { organizations } from "../../src/workspace/organizations/tables.ts";
import { addDeliverable } from "./deliverable-rows.ts";
import type { ClientDocument, Moment, WorkspaceDocument } from "./document.ts";
import { addEndpoint } from "./endpoint-rows.ts";
import { addInvoice } from "./invoice-rows.ts";
import { addProject } from "./project-rows.ts";
import { addToken } from "./token-rows.ts";

export interface Draft {
  steps: Step[];
  /** The images to upload before the rows are written. */
  images: Asset[];
  organizationId: string;
  organizationName: string;
  linkPrefix: string;
  ownerId: string;
  memberIds: ReadonlyMap<string, string>;
  currency: string;
  /** The base URL of reviews. */
  baseUrl: string;
  /** Encrypts the secrets of endpoints. */
  webhookSecretKey: string;
}

interface Step {
  at: Moment;
  query: Query<void>;
  /** Whether this row can fire an event. */
  isEvent: boolean;
}

export interface ClientIds {
  clientId: string;
  isSample: boolean;
  projects: Map<string, string>;
  timeEntries: Map<string, string>;
}

export function insertRow<T extends SQLiteTable>(
  { steps }: Draft,
  at: Moment,
  table: T,
  values: InferInsertModel<T>,
): void {
  steps.push({ at, query: statement(build.insert(table).values(values)), isEvent: told.has(table) });
}

const told: ReadonlySet<SQLiteTable> = new Set([
  feedback,
  deliverableSends,
  signOffs,
  payments,
  changeOrders,
]);

/** Adds a statement that may fire an event. */
export const change = ({ steps }: Draft, at: Moment, sql: SQLWrapper): void => {
  steps.push({ at, query: statement(sql), isEvent: true });
};

/** Adds a sent e-mail to the day's usage. */
export function countSentMail({ steps, organizationId }: Draft, at: Moment): void {
  const { day, organization_id, address, mails } = mailCounts;
  const counted = build
    .insert(mailCounts)
    .values({ organization_id: organizationId, day: at.slice(0, "2026-01-31".length), address: "", mails: 1 })
    .onConflictDoUpdate({ target: [day, organization_id, address], set: { mails: sql`${mails} + 1` } });
  steps.push({ at, query: statement(counted), isEvent: false });
}

export function minorOf({ currency }: Draft, amount: number): number {
  const minor = toMinor(amount, currency);
  if (minor === null) throw new Error(`${amount} has more digits than ${currency}`);
  return minor;
}

export function memberId({ memberIds }: Draft, email: string): string {
  const id = memberIds.get(email);
  if (!id) throw new Error(`${email} is nobody of the workspace`);
  return id;
}

/** All rows in creation order, as one batch. */
export async function demoRows(
  document: WorkspaceDocument,
  { baseUrl, webhookSecretKey }: Pick<Draft, "baseUrl" | "webhookSecretKey">,
): Promise<{ queries: Query<void>[]; images: Asset[] }> {
  const { organization, foundedAt, people, onSendStatus } = document;
  const organizationId = crypto.randomUUID();
  const memberIds = new Map(people.map(({ email }) => [email, crypto.randomUUID()]));
  const draft: Draft = {
    steps: [],
    images: [],
    organizationId,
    organizationName: organization.name,
    linkPrefix: randomBytes(6).toString("base64url"),
    ownerId: memberIds.get(people[0].email) ?? "",
    memberIds,
    currency: organization.currency,
    baseUrl,
    webhookSecretKey,
  };
  const stamps = { created_at: foundedAt, updated_at: foundedAt };
  insertRow(draft, foundedAt, organizations, {
    id: organizationId,
    ...organization,
    on_send_status_label: onSendStatus,
    link_prefix: draft.linkPrefix,
    ...stamps,
  });
  insertRow(draft, foundedAt, brands, {
    id: crypto.randomUUID(),
    organization_id: organizationId,
    accent: document.accent,
    ...stamps,
  });
  for (const person of people) {
    const id = memberId(draft, person.email);
    insertRow(draft, foundedAt, members, { id, organization_id: organizationId, ...person, ...stamps });
  }
  addAudit(draft, foundedAt, people[0].email, "organization.created", { subject_id: organizationId });
  for (const client of document.clients) addClient(draft, client);
  for (const token of document.tokens) addToken(draft, token);
  const endpoints = document.endpoints.map((endpoint) => ({ id: crypto.randomUUID(), endpoint }));
  for (const { id: subject_id, endpoint } of endpoints) {
    const { url, events = null } = endpoint;
    const made = { subject_id, details: { url, events } };
    addAudit(draft, endpoint.at, people[0].email, "webhook_endpoint.created", made);
  }
  const happened = inOrder(draft);
  draft.steps = [];
  for (const { id, endpoint } of endpoints) await addEndpoint(draft, id, endpoint);
  return { queries: [...happened, ...draft.steps.map(({ query }) => query)], images: draft.images };
}

export const addAudit = (
  draft: Draft,
  at: Moment,
  actor: string,
  action: string,
  { subject_id, details }: { subject_id: string; details?: Record<string, unknown> },
): void =>
  insertRow(draft, at, auditLog, {
    organization_id: draft.organizationId,
    actor,
    action,
    subject_id,
    details,
    created_at: at,
  });

/** Sorts the steps by time, backdates their events, and marks notices as sent so that nobody is e-mailed. */
function inOrder({ steps, organizationId }: Draft): Query<void>[] {
  const sorted = steps.toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
  const mailed = build.update(reviewNotices).set({ due_at: null, sent_at: reviewNotices.created_at });
  return [
    ...sorted.flatMap(({ at, query, isEvent }) => [query, ...(isEvent ? datedBack(organizationId, at) : [])]),
    statement(mailed.where(eq(reviewNotices.organization_id, organizationId))),
  ];
}

/** Triggers give events the current time. Backdates the events that are newer than their intended time. */
function datedBack(organizationId: string, at: Moment): Query<void>[] {
  const newer = and(eq(events.organization_id, organizationId), gt(events.created_at, at));
  const { organization_id, event, category, subject_id } = events;
  const dated = {
    organization_id: sql`${organization_id}`,
    event: sql`${event}`,
    category: sql`${category}`,
    subject_id: sql`${subject_id}`,
    payload: sql`json_set(${events.payload}, '$.created_at', ${at})`,
    created_at: at,
  };
  return [
    statement(insertSelect(events, dated, sql`FROM ${events} WHERE ${newer}`)),
    statement(build.delete(events).where(newer)),
  ];
}

function addClient(draft: Draft, document: ClientDocument): void {
  const { id = crypto.randomUUID(), at, company_name, client_name, email, external_id, status } = document;
  const { sample: isSample = false } = document;
  insertRow(draft, at, clients, {
    id,
    organization_id: draft.organizationId,
    company_name,
    client_name,
    email,
    external_id,
    status,
    is_sample: isSample,
    created_at: at,
    updated_at: at,
  });
  const ids: ClientIds = { clientId: id, isSample, projects: new Map(), timeEntries: new Map() };
  for (const project of document.projects ?? []) addProject(draft, ids, project);
  for (const invoice of document.invoices ?? []) addInvoice(draft, ids, invoice);
  for (const deliverable of document.deliverables ?? []) addDeliverable(draft, ids, deliverable);
}
