import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import {
  deliverableSends,
  deliverables,
  deliverableVersions,
  scopeRequestEvidence,
} from "../schema/review.ts";
import { clients, invoices, projects, timeEntries } from "../schema/work.ts";
import { apiTokens, auditLog, members } from "../schema/workspace.ts";
import { after, type Statement } from "../trigger.ts";

/** What a token writes through the API stands in the audit log, from the transaction that wrote it. */
export const actionsOfTokens: readonly Statement[] = [
  created(clients, "client.created"),
  created(projects, "project.created"),
  created(timeEntries, "time_entry.created"),
  created(invoices, "invoice.created"),
  created(deliverables, "deliverable.created"),
  created(scopeRequestEvidence, "scope_request.ingested"),
  // Version 1 is written with its deliverable.
  ofVersion(deliverableVersions, "deliverable.version_added", 1),
  ofVersion(deliverableSends, "deliverable.sent", 0),
];

function created<T extends SQLiteTable>(table: T, action: string): Statement {
  return after(table, "INSERT", "audited", ({ NEW }) => ({
    when: sql`${NEW.api_token_id} IS NOT NULL`,
    do: sql`INSERT INTO ${auditLog} (organization_id, actor, action, subject_id, api_token_id)
      SELECT ${NEW.organization_id}, members.email, ${action}, ${NEW.id}, ${NEW.api_token_id}
      ${minter(NEW.api_token_id)}`,
  }));
}

function ofVersion(table: SQLiteTable, action: string, from: number): Statement {
  return after(table, "INSERT", "audited", ({ NEW }) => ({
    when: sql`${NEW.api_token_id} IS NOT NULL AND ${NEW.version_number} > ${from}`,
    do: sql`INSERT INTO ${auditLog} (organization_id, actor, action, subject_id, api_token_id, details)
      SELECT ${NEW.organization_id}, members.email, ${action}, ${NEW.deliverable_id}, ${NEW.api_token_id},
        json_object('version_number', ${NEW.version_number})
      ${minter(NEW.api_token_id)}`,
  }));
}

function minter(tokenId: SQL | undefined): SQL {
  return sql`FROM ${apiTokens} JOIN ${members} ON members.id = api_tokens.created_by WHERE api_tokens.id = ${tokenId}`;
}
