import { eq, sql } from "drizzle-orm";
import { fromMinor } from "../../contract/money.ts";
import { type Children, childrenJson, flagConditions } from "../../core/pages.ts";
import { resource } from "../../core/resource.ts";
import type { Query } from "../../db/query.ts";
import { clients } from "../clients/tables.ts";
import { Project } from "./record.ts";
import { milestones, projects as table } from "./tables.ts";

type Milestone = Project["milestones"][number];

/** Reads the milestones in the same statement as their project. Raw SQL, because drizzle has no JSON aggregates. */
const milestonesOfProject: Children = {
  aggregate: sql`json_group_array(json_object('id', ${milestones.id},
    'name', ${milestones.name}, 'position', ${milestones.position}, 'status', ${milestones.status},
    'due_date', ${milestones.due_date}, 'amount', ${milestones.amount_minor}) ORDER BY ${milestones.position})`,
  from: sql`${milestones} WHERE ${eq(milestones.project_id, table.id)}`,
};

/** Parses milestones and converts their amounts from minor units. */
const milestonesIn = (json: string, currency: string): Milestone[] =>
  JSON.parse(json).map((milestone: Milestone) => ({
    ...milestone,
    amount: milestone.amount === null ? null : fromMinor(milestone.amount, currency),
  }));

const clientIsSample = sql`(SELECT ${clients.is_sample} FROM ${clients} WHERE ${eq(clients.id, table.client_id)})`;

export const projectResource = resource(table, Project, {
  scope: "project:read",
  more: { milestones: childrenJson(milestonesOfProject).as("milestones") },
  children: { milestones: milestonesOfProject },
  conditions: { is_sample: flagConditions(clientIsSample) },
  // A project is a sample if its client is, so each scanned project looks up its client.
  withoutIndex: ["is_sample=true", "is_sample=false"],
  complete: (project) => ({ ...project, milestones: milestonesIn(project.milestones, project.currency) }),
});

export const findProjectOfMilestone = (organizationId: string, milestoneId: string): Query<Project | null> =>
  projectResource.where(
    organizationId,
    sql`${table.id} = (SELECT ${milestones.project_id} FROM ${milestones} WHERE ${eq(milestones.id, milestoneId)})`,
  );
