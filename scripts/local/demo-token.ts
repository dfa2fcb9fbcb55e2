import { sql } from "drizzle-orm";
import { auditLog } from "../../src/core/audit-log/tables.ts";
import { insertSelect, statement } from "../../src/db/build.ts";
import type { Query } from "../../src/db/query.ts";
import { members } from "../../src/workspace/members/tables.ts";
import { organizations } from "../../src/workspace/organizations/tables.ts";
import { apiTokens } from "../../src/workspace/tokens/tables.ts";
import { firstOwnerOf } from "./sign-in-link.ts";

const resources = ["client", "project", "time", "invoice", "deliverable"];
const scopes = [
  ...resources.flatMap((resource) => [`${resource}:read`, `${resource}:write`]),
  "deliverable:send",
  "request:write",
];
const name = "npm start";

/** The rows for a token with every scope, created in the owner's name. Each start creates one. */
export function demoTokenRows(slug: string, token_hash: string, token_prefix: string): Query<void>[] {
  const id = crypto.randomUUID();
  const owner = firstOwnerOf(slug);
  const organization_id = sql`${organizations.id}`;
  const created = { id, organization_id, name, scopes, token_hash, token_prefix };
  const details = { name, prefix: token_prefix, scopes };
  const told = {
    organization_id,
    actor: sql`${members.email}`,
    action: "token.created",
    subject_id: id,
    details,
  };
  return [
    statement(insertSelect(apiTokens, { ...created, created_by: sql`${members.id}` }, owner)),
    statement(insertSelect(auditLog, told, owner)),
  ];
}
