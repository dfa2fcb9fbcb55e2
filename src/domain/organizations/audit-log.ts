import { and, eq, gte, lt } from "drizzle-orm";
import { AuditEntry } from "../../contract/workspace/organization.ts";
import { records } from "../../db/records.ts";
import { auditLog as table } from "../../db/schema/workspace.ts";

const { newest } = records(table, AuditEntry, {});

interface AuditSearch {
  limit: number;
  /** Only what this token wrote through the API. */
  token?: string;
  /** Only entries at or after `since` and before `until`. */
  since?: string;
  until?: string;
}

/** The newest lines of a workspace. */
export const newestAuditEntries = (organizationId: string, { limit, token, since, until }: AuditSearch) =>
  newest(organizationId, {
    limit,
    where: and(
      token === undefined ? undefined : eq(table.api_token_id, token),
      since === undefined ? undefined : gte(table.created_at, since),
      until === undefined ? undefined : lt(table.created_at, until),
    ),
  });
