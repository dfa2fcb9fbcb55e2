import { invalid, Refusal } from "../../contract/failures.ts";
import { limits } from "../../contract/limits.ts";
import { exampleProject as example, NewProject, Project } from "../../contract/resources/project.ts";
import { runLast } from "../../db/query.ts";
import { clientIsKnown, createProject } from "../../domain/projects/create-project.ts";
import { projects } from "../../domain/projects/read-projects.ts";
import { listRoute } from "../../http/list-route.ts";
import { authorshipOf, write } from "../../http/route.ts";

export const listProjects = listRoute({
  path: "/api-v1/projects",
  operationId: "listProjects",
  tag: "Projects",
  summary: "List projects with their milestones",
  scope: "project:read",
  resource: Project,
  example,
  page: projects.page,
  hasChildren: true,
});

export const postProject = write({
  path: "/api-v1/projects",
  operationId: "createProject",
  tag: "Projects",
  summary: "Create a project",
  scope: "project:write",
  body: NewProject,
  maximumBodyBytes: limits.bodyBytes,
  answer: Project,
  answerDescription: "The project",
  examples: {
    body: {
      client_id: example.client_id,
      name: "Website relaunch",
      currency: "EUR",
      included_revision_rounds: 2,
      milestones: [{ name: "Concept", due_date: "2026-02-01", amount: 2500 }],
    },
    answer: example,
  },
  preconditions: ({ tokenHash, body }) => clientIsKnown({ tokenHash, clientId: body.client_id }),
  findExisting: ({ principal, id }) => projects.existing(principal.organizationId, id),
  plan(context, clientKnown) {
    if (!clientKnown) return invalid("client_id not found in this workspace");
    const queries = createProject(authorshipOf(context), context.body, context.principal.currency);
    return queries instanceof Refusal ? queries : () => runLast(context.services.db, queries);
  },
});
