import { eq, type SQLWrapper, sql } from "drizzle-orm";
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, stamps } from "../../db/columns.ts";
import { rules } from "../../db/rules.ts";

/** A workspace's branding for its clients. */
export const brands = sqliteTable("brands", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  accent: text(),
  /** Base64. */
  logo: text(),
  logo_content_type: text(),
  logo_sha256: text(),
  ...stamps,
  /** Whether link previews and e-mails show the work. */
  link_previews: flag().notNull().default(true),
});

export const brandsRules = [rules(brands, { stamped: { of: ["accent", "logo_sha256", "link_previews"] } })];

/** A workspace's color, for use in another statement; NULL if none is set. */
export const accentOf = (organizationId: SQLWrapper) =>
  sql<string | null>`(SELECT ${brands.accent} FROM ${brands}
    WHERE ${eq(brands.organization_id, organizationId)})`;

/** Whether a workspace shows its work in e-mails and link previews. The statement must join `brands`. */
export const showsPreviews = sql<number>`coalesce(${brands.link_previews}, 1)`;
