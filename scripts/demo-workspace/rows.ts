/** The rows of a workspace document. Triggers do the rest: numbers, counters, review states and events. */
import type { InferInsertModel } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { toMinor } from "../../src/contract/money.ts";
import { build, statement } from "../../src/db/build.ts";
import type { Query } from "../../src/db/query.ts";
import { clients } from "../../src/work/clients/tables.ts";
import { milestones, projects } from "../../src/work/projects/tables.ts";
import { timeEntries } from "../../src/work/time-entries/tables.ts";
import type { Asset } from "../../src/workspace/images/asset.ts";
import { members } from "../../src/workspace/members/tables.ts";
import { organizations } from "../../src/workspace/organizations/tables.ts";
import { addDeliverable } from "./deliverable-rows.ts";
import type { ClientDocument, ProjectDocument, TimeEntryDocument, WorkspaceDocument } from "./document.ts";
import { addInvoice } from "./invoice-rows.ts";

/** A workspace that is being written. */
export interface Draft {
  /** In an order that the triggers accept; they run in one batch. */
  queries: Query<void>[];
  /** Stored before the batch runs. */
  images: Asset[];
  organizationId: string;
  ownerId: string;
  currency: string;
  /** Where clients review. */
  baseUrl: string;
  /** Of records that consist of several rows: equal stamps say that nothing has changed since. */
  stamps: { created_at: string; updated_at: string };
}

/** What the rows of a client refer to. */
export interface ClientIds {
  clientId: string;
  isSample: boolean;
  /** By name. */
  projects: Map<string, string>;
  /** By description. */
  timeEntries: Map<string, string>;
}

export function insertRow<T extends SQLiteTable>(
  { queries }: Draft,
  table: T,
  values: InferInsertModel<T>,
): void {
  queries.push(statement(build.insert(table).values(values)));
}

export function minorOf({ currency }: Draft, amount: number): number {
  const minor = toMinor(amount, currency);
  if (minor === null) throw new Error(`${amount} has more digits than ${currency}`);
  return minor;
}

export function demoRows(
  { organization, owner, onSendStatus, clients: documents }: WorkspaceDocument,
  baseUrl: string,
): Pick<Draft, "queries" | "images"> {
  const { currency } = organization;
  const [organizationId, ownerId] = [crypto.randomUUID(), crypto.randomUUID()];
  const now = new Date().toISOString();
  const draft: Draft = {
    queries: [],
    images: [],
    organizationId,
    ownerId,
    currency,
    baseUrl,
    stamps: { created_at: now, updated_at: now },
  };
  insertRow(draft, organizations, {
    id: organizationId,
    ...organization,
    on_send_status_label: onSendStatus,
  });
  insertRow(draft, members, { id: ownerId, organization_id: organizationId, ...owner, role: "owner" });
  for (const document of documents) addClient(draft, document);
  return draft;
}

function addClient(draft: Draft, document: ClientDocument): void {
  const { company_name, client_name, email, external_id, sample: isSample = false, status } = document;
  const id = crypto.randomUUID();
  insertRow(draft, clients, {
    id,
    organization_id: draft.organizationId,
    company_name,
    client_name,
    email,
    external_id,
    status,
    is_sample: isSample,
  });
  const ids: ClientIds = { clientId: id, isSample, projects: new Map(), timeEntries: new Map() };
  for (const project of document.projects ?? []) addProject(draft, ids, project);
  for (const invoice of document.invoices ?? []) addInvoice(draft, ids, invoice);
  for (const deliverable of document.deliverables ?? []) addDeliverable(draft, ids, deliverable);
}

function addProject(
  draft: Draft,
  ids: ClientIds,
  { milestones: parts = [], time_entries = [], ...project }: ProjectDocument,
): void {
  const id = crypto.randomUUID();
  const { organizationId: organization_id, currency, stamps } = draft;
  insertRow(draft, projects, {
    id,
    organization_id,
    client_id: ids.clientId,
    currency,
    ...project,
    ...stamps,
  });
  for (const [position, { amount, ...milestone }] of parts.entries()) {
    insertRow(draft, milestones, {
      id: crypto.randomUUID(),
      organization_id,
      project_id: id,
      position,
      ...milestone,
      amount_minor: amount === undefined ? null : minorOf(draft, amount),
      ...stamps,
    });
  }
  for (const entry of time_entries) addTimeEntry(draft, ids, id, entry);
  ids.projects.set(project.name, id);
}

function addTimeEntry(
  draft: Draft,
  ids: ClientIds,
  project_id: string,
  { hourly_rate, ...entry }: TimeEntryDocument,
): void {
  const id = crypto.randomUUID();
  insertRow(draft, timeEntries, {
    id,
    organization_id: draft.organizationId,
    project_id,
    client_id: ids.clientId,
    user_id: draft.ownerId,
    currency: draft.currency,
    ...entry,
    hourly_rate_minor: hourly_rate === undefined ? null : minorOf(draft, hourly_rate),
  });
  ids.timeEntries.set(entry.description, id);
}
