import { sql } from "drizzle-orm";
import type { Project } from "../../contract/resources/project.ts";
import type { Query, Row } from "../../db/query.ts";
import { projects } from "../../db/schema/work.ts";
import { pageOf } from "../../db/select.ts";
import { fromMinorOrNull } from "../money.ts";
import { recalled } from "../recall.ts";

const milestonesOfProject = `(SELECT json_group_array(json_object('id', m.id, 'name', m.name, 'position', m.position,
  'status', m.status, 'due_date', m.due_date, 'amount_minor', m.amount_minor) ORDER BY m.position)
  FROM milestones m WHERE m.project_id = projects.id)`;

const toProject = (row: Row): Project => ({
  ...(row as Project),
  milestones: JSON.parse(row.milestones).map((milestone: Row) => ({
    ...milestone,
    amount: fromMinorOrNull(milestone.amount_minor, row.currency),
  })),
});

const columns = {
  id: projects.id,
  client_id: projects.client_id,
  name: projects.name,
  description: projects.description,
  status: projects.status,
  currency: projects.currency,
  included_revision_rounds: projects.included_revision_rounds,
  revision_rounds_used: projects.revision_rounds_used,
  start_date: projects.start_date,
  end_date: projects.end_date,
  external_id: projects.external_id,
  created_at: projects.created_at,
  updated_at: projects.updated_at,
  milestones: sql.raw(milestonesOfProject).as("milestones"),
};

export const pageOfProjects = pageOf(projects, columns, toProject);

const projectsSql = `SELECT *, ${milestonesOfProject} AS milestones FROM projects`;
const projectSql = `${projectsSql} WHERE id = ? AND organization_id = ?`;

/** One project with its milestones, null if the organization has none with this id. */
export const findProject = (organizationId: string, id: string): Query<Project | null> => ({
  sql: projectSql,
  params: [id, organizationId],
  read: ([row]) => (row ? toProject(row) : null),
});

export const findProjectOfMilestone = (
  organizationId: string,
  milestoneId: string,
): Query<Project | null> => ({
  sql: `${projectsSql} WHERE id = (SELECT project_id FROM milestones WHERE id = ?) AND organization_id = ?`,
  params: [milestoneId, organizationId],
  read: ([row]) => (row ? toProject(row) : null),
});

export const recallProject = (organizationId: string, id: string) =>
  recalled(projectSql, [id, organizationId], toProject);
