import { eq } from "drizzle-orm";
import { build } from "../../src/db/build.ts";
import { changeOrders } from "../../src/work/change-orders/tables.ts";
import { deposits } from "../../src/work/deposits/tables.ts";
import { milestones, projects } from "../../src/work/projects/tables.ts";
import { timeEntries } from "../../src/work/time-entries/tables.ts";
import type { ChangeOrderDocument, ProjectDocument, TimeEntryDocument } from "./document.ts";
import { type ClientIds, change, type Draft, insertRow, memberId, minorOf } from "./rows.ts";

export function addProject(draft: Draft, ids: ClientIds, document: ProjectDocument): void {
  const { id = crypto.randomUUID(), at, milestones: parts = [], time_entries = [], ...rest } = document;
  const { change_orders = [], deposit, ...project } = rest;
  const { organizationId: organization_id, currency } = draft;
  const stamps = { created_at: at, updated_at: at };
  const ofProject = { organization_id, project_id: id };
  insertRow(draft, at, projects, {
    id,
    organization_id,
    client_id: ids.clientId,
    currency,
    ...project,
    ...stamps,
  });
  for (const [position, { amount, ...milestone }] of parts.entries()) {
    insertRow(draft, at, milestones, {
      id: crypto.randomUUID(),
      ...ofProject,
      position,
      ...milestone,
      amount_minor: amount === undefined ? null : minorOf(draft, amount),
      ...stamps,
    });
  }
  if (deposit) addDeposit(draft, ofProject, deposit);
  for (const entry of time_entries) addTimeEntry(draft, ids, id, entry);
  for (const order of change_orders) addChangeOrder(draft, ofProject, order);
  ids.projects.set(project.name, id);
}

interface OfProject {
  organization_id: string;
  project_id: string;
}

function addTimeEntry(
  draft: Draft,
  ids: ClientIds,
  project_id: string,
  { id = crypto.randomUUID(), hourly_rate, by, ...entry }: TimeEntryDocument,
): void {
  const at = `${entry.spent_date}T17:30:00.000Z`;
  insertRow(draft, at, timeEntries, {
    id,
    organization_id: draft.organizationId,
    project_id,
    client_id: ids.clientId,
    user_id: memberId(draft, by),
    currency: draft.currency,
    ...entry,
    hourly_rate_minor: hourly_rate === undefined ? null : minorOf(draft, hourly_rate),
    created_at: at,
    updated_at: at,
  });
  ids.timeEntries.set(entry.description, id);
}

function addChangeOrder(draft: Draft, ofProject: OfProject, order: ChangeOrderDocument): void {
  const { title, amount, sentAt, outcome } = order;
  const id = crypto.randomUUID();
  insertRow(draft, sentAt, changeOrders, {
    id,
    ...ofProject,
    title,
    amount_minor: minorOf(draft, amount),
    currency: draft.currency,
    status: "sent",
    created_by: draft.ownerId,
    created_at: sentAt,
    updated_at: sentAt,
  });
  if (!outcome) return;
  const { status, at } = outcome;
  const move = build.update(changeOrders).set({ status }).where(eq(changeOrders.id, id));
  change(draft, at, move);
}

function addDeposit(
  draft: Draft,
  ofProject: OfProject,
  { amount, at, clearedAt }: NonNullable<ProjectDocument["deposit"]>,
): void {
  const id = crypto.randomUUID();
  insertRow(draft, at, deposits, {
    id,
    ...ofProject,
    amount_minor: minorOf(draft, amount),
    currency: draft.currency,
    created_by: draft.ownerId,
    created_at: at,
    updated_at: at,
  });
  const cleared = { status: "cleared", collected_via: "offline", cleared_at: clearedAt } as const;
  const clear = build.update(deposits).set(cleared).where(eq(deposits.id, id));
  change(draft, clearedAt, clear);
}
