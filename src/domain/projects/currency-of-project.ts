import type { Query } from "../../db/query.ts";

/** The currency of a project's amounts; null if the organization has no such project. */
export const currencyOfProject = (organizationId: string, projectId: string): Query<string | null> => ({
  sql: "SELECT currency FROM projects WHERE id = ? AND organization_id = ?",
  params: [projectId, organizationId],
  read: ([row]) => row?.currency ?? null,
});
