import { eq } from "drizzle-orm";
import { AuditEntry } from "../../contract/workspace/organization.ts";
import { records } from "../../db/records.ts";
import { auditLog as table } from "../../db/schema/workspace.ts";

const { newest } = records(table, AuditEntry, {});

/** The newest lines of a workspace; of one token, what was written with it through the API. */
export const newestAuditEntries = (
  organizationId: string,
  { limit, token }: { limit: number; token?: string | undefined },
) => newest(organizationId, { limit, ...(token !== undefined && { where: eq(table.api_token_id, token) }) });
