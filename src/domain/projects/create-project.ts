import { invalid, type Refusal } from "../../contract/failures.ts";
import type { NewProject, Project } from "../../contract/resources/project.ts";
import { organizationOfTokenSql } from "../../db/organization.ts";
import { type Query, statement } from "../../db/query.ts";
import type { Authorship } from "../authorship.ts";
import { toMinor } from "../money.ts";
import { findProject } from "./read-projects.ts";

/** Whether the client that a body names belongs to the workspace of a token. */
export const clientIsKnown = (tokenHash: string, clientId: string): Query<boolean> => ({
  sql: `SELECT 1 FROM clients WHERE id = ? AND organization_id = ${organizationOfTokenSql}`,
  params: [clientId, tokenHash],
  read: (rows) => rows.length > 0,
});

const insertProject = `
INSERT INTO projects (id, organization_id, client_id, name, description, currency, included_revision_rounds,
  start_date, end_date, external_id, request_fingerprint)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const insertMilestones = `
INSERT INTO milestones (id, organization_id, project_id, name, position, due_date, amount_minor, created_at, updated_at)
SELECT j.value ->> 'id', p.organization_id, p.id, j.value ->> 'name', j.value ->> 'position', j.value ->> 'due_date',
  j.value ->> 'amount_minor', p.created_at, p.created_at
FROM projects p, json_each(?) j WHERE p.id = ?`;

/** Writes a project and its milestones; a 400 if an amount has more digits than the currency. */
export function createProject(
  { id, organizationId, fingerprint }: Authorship,
  project: NewProject,
  organizationCurrency: string,
): Refusal | readonly [Query<void>, Query<void>, Query<Project | null>] {
  const currency = project.currency ?? organizationCurrency;
  const milestones = [];
  for (const [position, milestone] of (project.milestones ?? []).entries()) {
    const amount_minor = milestone.amount === undefined ? null : toMinor(milestone.amount, currency);
    if (milestone.amount !== undefined && amount_minor === null) {
      return invalid(`milestones.${position}.amount has more digits than ${currency}`);
    }
    milestones.push({
      id: crypto.randomUUID(),
      name: milestone.name,
      position,
      due_date: milestone.due_date ?? null,
      amount_minor,
    });
  }
  return [
    statement(
      insertProject,
      id,
      organizationId,
      project.client_id,
      project.name,
      project.description ?? null,
      currency,
      project.included_revision_rounds ?? null,
      project.start_date ?? null,
      project.end_date ?? null,
      project.external_id ?? null,
      fingerprint,
    ),
    statement(insertMilestones, JSON.stringify(milestones), id),
    findProject(organizationId, id),
  ];
}
