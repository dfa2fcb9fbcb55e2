import { invalid, Refusal } from "../../contract/failures.ts";
import { limits } from "../../contract/limits.ts";
import { NewProject, Project } from "../../contract/resources/project.ts";
import { runLast } from "../../db/query.ts";
import { clientIsKnown, createProject } from "../../domain/projects/create-project.ts";
import { projects } from "../../domain/projects/read-projects.ts";
import { listRoute } from "../../http/list-route.ts";
import { authorshipOf, write } from "../../http/route.ts";

const example: Project = {
  id: "7d0e5b1e-2f6c-4d63-8c0e-1b9a5d0c3f42",
  client_id: "2b1f6a0c-54f4-4a2e-9c2b-0f8f1f0a7c11",
  name: "Website relaunch",
  description: "Design and build",
  status: "active",
  currency: "EUR",
  included_revision_rounds: 2,
  revision_rounds_used: 1,
  start_date: "2026-01-15",
  end_date: "2026-04-30",
  external_id: null,
  milestones: [
    {
      id: "c2a4c3f8-5f7e-4f3b-9d4a-7f6b2f0f9e01",
      name: "Concept",
      position: 0,
      status: "completed",
      due_date: "2026-02-01",
      amount: 2500,
    },
  ],
  created_at: "2026-01-12T08:00:00.000Z",
  updated_at: "2026-01-31T09:30:00.000Z",
};

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
