import { Refusal } from "../../contract/failures.ts";
import { NewProject } from "../../contract/resources/project.ts";
import { NewTimeEntry } from "../../contract/resources/time-entry.ts";
import { type Query, statement } from "../../db/query.ts";
import type { Authorship } from "../../domain/authorship.ts";
import { createProject } from "../../domain/projects/create-project.ts";
import { createTimeEntry } from "../../domain/time-entries/create-time-entry.ts";
import type { ProjectDocument } from "./workspace-document.ts";

export interface ImportedProject {
  queries: Query<unknown>[];
  /** Its time entries: description to id. */
  entryIds: Map<string, string>;
}

/** The statements that make a project with its milestones and time entries; a refusal as the API's. */
export function importProject(
  authorship: Authorship,
  { status, milestones = [], time_entries = [], ...document }: ProjectDocument,
  place: { client_id: string; currency: string },
): ImportedProject | Refusal {
  const project = NewProject.parse({
    ...document,
    client_id: place.client_id,
    milestones: milestones.map(({ status: _, ...milestone }) => milestone),
  });
  const created = createProject(authorship, project, place.currency);
  if (created instanceof Refusal) return created;
  const queries: Query<unknown>[] = [...created];
  for (const [position, milestone] of milestones.entries()) {
    queries.push(setMilestone(authorship.id, position, milestone.status ?? "pending"));
  }
  const entryIds = new Map<string, string>();
  for (const entry of time_entries) {
    const id = crypto.randomUUID();
    const query = createTimeEntry(
      { ...authorship, id },
      NewTimeEntry.parse({ ...entry, project_id: authorship.id }),
      { client_id: place.client_id, currency: project.currency ?? place.currency },
      `import-${id}`,
    );
    if (query instanceof Refusal) return query;
    queries.push(query);
    entryIds.set(entry.description ?? "", id);
  }
  if (status) queries.push(statement("UPDATE projects SET status = ? WHERE id = ?", status, authorship.id));
  return { queries, entryIds };
}

const setMilestone = (projectId: string, position: number, status: string) =>
  statement(
    "UPDATE milestones SET status = ? WHERE project_id = ? AND position = ?",
    status,
    projectId,
    position,
  );
