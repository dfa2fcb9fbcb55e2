import { projectStatuses } from "../../contract/closed-sets.ts";
import { invalid, Refusal } from "../../contract/refusal.ts";
import { runLast } from "../../db/query.ts";
import { bodyExample } from "../../http/body-example.ts";
import { externalIdFilter, flagFilter, idFilter, stateFilter } from "../../http/filters.ts";
import { listRoute, recordRoute } from "../../http/list-route.ts";
import { write } from "../../http/write.ts";
import { newId } from "../../platform/new-id.ts";
import { clientIsKnown, createProject } from "../../work/projects/create-project.ts";
import { projectResource } from "../../work/projects/read-projects.ts";
import { exampleProject as example, NewProject, Project } from "../../work/projects/record.ts";

const described = { tag: "Projects", resource: Project, example, scope: "project:read" } as const;

export const listProjects = listRoute({
  ...described,
  path: "/api-v1/projects",
  operationId: "listProjects",
  summary: "List projects with their milestones",
  filters: {
    client_id: idFilter("client"),
    status: stateFilter(projectStatuses),
    external_id: externalIdFilter,
    is_sample: flagFilter("Whether the project's client is onboarding sample data", "false"),
  },
  page: projectResource.page,
  mayBeLarge: true,
});

export const getProject = recordRoute({
  ...described,
  path: "/api-v1/projects/{id}",
  operationId: "getProject",
  summary: "Get a project with its milestones",
  find: projectResource.find,
});

export const postProject = write({
  path: "/api-v1/projects",
  operationId: "createProject",
  tag: "Projects",
  summary: "Create a project",
  scope: "project:write",
  body: NewProject,
  answer: Project,
  answerDescription: "The project",
  examples: {
    body: {
      ...bodyExample(NewProject, example),
      milestones: [{ name: "Concept", due_date: "2026-02-01", amount: 2500 }],
    },
    answer: {
      ...example,
      revision_rounds_used: 0,
      milestones: example.milestones.map((milestone) => ({ ...milestone, status: "pending" })),
      updated_at: example.created_at,
    },
  },
  action: "project.created",
  load: ({ tokenHash, body }) => clientIsKnown({ tokenHash, clientId: body.client_id }),
  decide(context, { body, entry }, clientKnown) {
    if (!clientKnown) return invalid("client_id not found in this workspace");
    const id = newId();
    const inserts = createProject(context, id, body);
    if (inserts instanceof Refusal) return inserts;
    return () => runLast(context.services.db, [...inserts, projectResource.record(entry(id))]);
  },
  answerOf: projectResource.fromText,
  recall: (organizationId, { subjectId }) => projectResource.read(organizationId, subjectId),
});
