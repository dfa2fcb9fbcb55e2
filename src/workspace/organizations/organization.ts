import { asc, desc, eq, getTableColumns, or, type Placeholder, sql } from "drizzle-orm";
import { build, type Placeholders, prepared, rowOf, rowsOf } from "../../db/build.ts";
import { type Fence, fenceColumn } from "../../db/fencing.ts";
import type { Query } from "../../db/query.ts";
import type { Organization } from "./record.ts";
import { organizations, plans } from "./tables.ts";

const select = () =>
  build
    .select({
      ...getTableColumns(organizations),
      api_access: plans.api_access,
      fence: fenceColumn(sql`${organizations.id}`).as("fence"),
    })
    .from(organizations)
    .innerJoin(plans, eq(plans.name, organizations.plan))
    .$dynamic();

/** Matches the organization by id or slug. A slug never looks like an id. */
export const byIdOrSlug = (idOrSlug: string | Placeholder) =>
  or(eq(organizations.id, idOrSlug), eq(organizations.slug, idOrSlug));

const organizationBy = prepared(({ idOrSlug }: Placeholders<{ idOrSlug: string }>) =>
  rowOf(select().where(byIdOrSlug(idOrSlug))),
);

export const findOrganization = (idOrSlug: string): Query<(Organization & { fence: Fence }) | null> =>
  organizationBy({ idOrSlug });

export const listOrganizations = (): Query<Organization[]> =>
  rowsOf(select().orderBy(desc(organizations.created_at), sql`${organizations}.rowid DESC`));

/** Lists the plans in order of creation. */
export const listPlans = (): Query<{ name: string }[]> =>
  rowsOf(build.select({ name: plans.name }).from(plans).orderBy(asc(sql`rowid`)));
