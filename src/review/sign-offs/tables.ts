import { sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { signOffAttributions } from "../../contract/closed-sets.ts";
import { createdAt } from "../../db/columns.ts";
import { rules } from "../../db/rules.ts";

export const signOffs = sqliteTable("sign_offs", {
  id: text().primaryKey(),
  organization_id: text().notNull(),
  deliverable_id: text().notNull(),
  version_number: integer().notNull(),
  signer_name: text().notNull(),
  ...createdAt,
  attribution: text({ enum: signOffAttributions }).notNull().default("recorded_by_admin"),
  version_hash: text(),
  workspace: text(),
  consent: text(),
  consent_version: integer(),
  ip_address: text(),
  user_agent: text(),
  erased_at: text(),
});

export const signOffsRules = [
  // A sign-off never changes after the trigger that completes it has written its hash.
  rules(signOffs, {
    writtenOnce: { from: ({ version_hash }) => sql`${version_hash} IS NOT NULL` },
    kept: true,
    unique: ["deliverable_id"],
  }),
];
