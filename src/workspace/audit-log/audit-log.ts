import { and, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { limits } from "../../contract/limits.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import { build, rows } from "../../db/build.ts";
import { mapped, type Query, run } from "../../db/query.ts";
import { members } from "../members/tables.ts";
import { requests } from "../requests/tables.ts";
import { apiTokens } from "../tokens/tables.ts";
import type { AuditEntry } from "./record.ts";
import { auditLog } from "./tables.ts";

interface AuditSearch {
  limit: number;
  /** Only what this token wrote through the API. */
  token?: string;
  /** Only entries at or after `since` and before `until`. */
  since?: string;
  until?: string;
}

/** What is looked for among the newest entries. */
interface AuditFilter extends AuditSearch {
  /** E-mail address of the member. */
  person?: string;
  action?: string;
}

/**
 * The newest entries of a person or an action are looked for among `limits.lookedAtRecords`; a search that finds none
 * there says where to go on.
 */
export async function searchAuditLog(
  db: D1Database,
  organizationId: string,
  { person, action, ...search }: AuditFilter,
): Promise<AuditEntry[] | Refusal> {
  if (person === undefined && action === undefined)
    return run(db, newestAuditEntries(organizationId, search));
  const limit = Math.max(search.limit, limits.lookedAtRecords);
  const looked = await run(db, newestAuditEntries(organizationId, { ...search, limit }));
  const found = looked.filter(
    (entry) =>
      (person === undefined || entry.actor.toLowerCase() === person.toLowerCase()) &&
      (action === undefined || entry.action === action),
  );
  const last = looked.at(-1);
  if (found.length > 0 || !last || looked.length < limit) return found.slice(0, search.limit);
  // Others of this moment may not have been looked at.
  const until = new Date(Date.parse(last.created_at) + 1).toISOString();
  return refuse("activity_search_ended_early", { until });
}

/** The newest entries of a workspace: what tokens did stands in the ledger, what admins did in the audit log. */
const newestAuditEntries = (organizationId: string, search: AuditSearch): Query<AuditEntry[]> => {
  const ofTokens = actionsOfTokens(organizationId, search);
  const ofAdmins = sql`SELECT * FROM (${actionsOfAdmins(organizationId, search)}) UNION ALL`;
  const newest = sql`${search.token === undefined ? ofAdmins : sql``} SELECT * FROM (${ofTokens})
    ORDER BY created_at DESC, place DESC LIMIT ${search.limit}`;
  return mapped(rows(entry, newest), (found) => found.map(({ place: _, ...of }) => of));
};

/** The columns of both, with how they are read. */
const entry = {
  id: auditLog.id,
  actor: auditLog.actor,
  operator: auditLog.operator,
  action: auditLog.action,
  subject_id: auditLog.subject_id,
  api_token_id: sql<string | null>`api_token_id`.as("api_token_id"),
  details: auditLog.details,
  created_at: auditLog.created_at,
  /** Tells entries of one moment apart. */
  place: sql<number | string>`place`.as("place"),
};

const within = (createdAt: SQLiteColumn, { since, until }: AuditSearch): SQL | undefined =>
  and(
    since === undefined ? undefined : gte(createdAt, since),
    until === undefined ? undefined : lt(createdAt, until),
  );

function actionsOfAdmins(organizationId: string, search: AuditSearch): SQL {
  const { id, actor, operator, action, subject_id, details, created_at, sequence } = auditLog;
  const own = and(eq(auditLog.organization_id, organizationId), within(created_at, search));
  return sql`SELECT ${id}, ${actor}, ${operator}, ${action}, ${subject_id}, NULL AS api_token_id, ${details},
    ${created_at}, ${sequence} AS place FROM ${auditLog} WHERE ${own}
    ORDER BY ${created_at} DESC, ${sequence} DESC LIMIT ${search.limit}`;
}

/** Raw SQL: the newest of each token, by the index of its lines; a join alone would read them all. */
function actionsOfTokens(organizationId: string, search: AuditSearch): SQL {
  const { action, subject_id, details, created_at, request_id } = requests;
  const own = and(
    eq(requests.organization_id, organizationId),
    eq(requests.actor, apiTokens.id),
    within(created_at, search),
  );
  const newest = build
    .select({ key: requests.key })
    .from(requests)
    .where(own)
    .orderBy(sql`${created_at} DESC`)
    .limit(search.limit);
  const ofTokens = and(
    eq(apiTokens.organization_id, organizationId),
    search.token === undefined ? undefined : eq(apiTokens.id, search.token),
  );
  return sql`SELECT ${request_id} AS id, ${members.email} AS actor, NULL AS operator, ${action}, ${subject_id},
    ${apiTokens.id} AS api_token_id, ${details}, ${created_at},
    ${requests.key} AS place
    FROM ${apiTokens} JOIN ${members} ON ${eq(members.id, apiTokens.created_by)}
    JOIN ${requests} ON ${eq(requests.organization_id, organizationId)} AND ${requests.key} IN (${newest})
    WHERE ${ofTokens}`;
}
