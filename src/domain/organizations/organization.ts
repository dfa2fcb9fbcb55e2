import type { Organization } from "../../contract/workspace/organization.ts";
import type { Query, Row } from "../../db/query.ts";

const toOrganization = (row: Row): Organization => ({
  ...(row as Organization),
  api_access: row.api_access === 1,
  features: JSON.parse(row.features),
});

const organizationSql = "SELECT o.*, p.api_access FROM organizations o JOIN plans p ON p.name = o.plan WHERE";

/** By id or slug; null if there is none. No slug looks like an id. */
export const findOrganization = (idOrSlug: string): Query<Organization | null> => ({
  sql: `${organizationSql} o.id = ?1 OR o.slug = ?1`,
  params: [idOrSlug],
  read: ([row]) => (row ? toOrganization(row) : null),
});

export const listOrganizations: Query<Organization[]> = {
  sql: `${organizationSql} 1 ORDER BY o.created_at DESC, o.rowid DESC`,
  params: [],
  read: (rows) => rows.map(toOrganization),
};

export const planNames: Query<string[]> = {
  sql: "SELECT name FROM plans ORDER BY rowid",
  params: [],
  read: (rows) => rows.map((row) => row.name),
};
