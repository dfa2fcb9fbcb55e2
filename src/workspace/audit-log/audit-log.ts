import { and, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { limits } from "../../contract/limits.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import { row, rows } from "../../db/build.ts";
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
 * The newest entries of a person or an action are looked for among `limits.lookedAtRecords`, those of a token among
 * `limits.lookedAtEntries` that tokens wrote; a search that finds none there says where to go on.
 */
export async function searchAuditLog(
  db: D1Database,
  organizationId: string,
  { person, action, ...search }: AuditFilter,
): Promise<AuditEntry[] | Refusal> {
  const isSifted = person !== undefined || action !== undefined;
  const limit = isSifted ? Math.max(search.limit, limits.lookedAtRecords) : search.limit;
  const looked = await run(db, newestAuditEntries(organizationId, { ...search, limit }));
  const found = looked.filter(
    (entry) =>
      (person === undefined || entry.actor.toLowerCase() === person.toLowerCase()) &&
      (action === undefined || entry.action === action),
  );
  if (found.length > 0) return found.slice(0, search.limit);
  const last = looked.at(-1);
  if (last && looked.length >= limit) return endedEarly(limit, last.created_at);
  const end = search.token === undefined ? null : await run(db, endOfTokens(organizationId, search));
  return end ? endedEarly(limits.lookedAtEntries, end.created_at) : [];
}

/** Others of the last moment may not have been looked at. */
const endedEarly = (entries: number, lastAt: string): Refusal =>
  refuse("activity_search_ended_early", {
    entries,
    until: new Date(Date.parse(lastAt) + 1).toISOString(),
  });

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

/** What tokens wrote, in the words of its index: all of one workspace, newest first. */
const newestOfTokens = (organizationId: string, search: AuditSearch): SQL => {
  const own = and(
    eq(requests.organization_id, organizationId),
    sql`(key GLOB 'key:*' OR key GLOB 'request:*')`,
    within(requests.created_at, search),
  );
  return sql`FROM ${requests} WHERE ${own} ORDER BY ${requests.created_at} DESC`;
};

/** The last entry that a search for a token looks at, if there are so many. */
const endOfTokens = (organizationId: string, search: AuditSearch) =>
  row(
    { created_at: requests.created_at },
    sql`SELECT created_at ${newestOfTokens(organizationId, search)} LIMIT 1 OFFSET ${limits.lookedAtEntries} - 1`,
  );

/** Entries of one token are looked for in the index, which holds their actor. */
function actionsOfTokens(organizationId: string, search: AuditSearch): SQL {
  const { action, subject_id, details, created_at, request_id } = requests;
  const newest = newestOfTokens(organizationId, search);
  const keys =
    search.token === undefined
      ? sql`SELECT key ${newest} LIMIT ${search.limit}`
      : sql`SELECT key FROM (SELECT key, actor ${newest} LIMIT ${limits.lookedAtEntries})
          WHERE actor = ${search.token} LIMIT ${search.limit}`;
  return sql`SELECT ${request_id} AS id, ${members.email} AS actor, NULL AS operator, ${action}, ${subject_id},
    ${apiTokens.id} AS api_token_id, ${details}, ${created_at},
    ${requests.key} AS place
    FROM ${requests} JOIN ${apiTokens} ON ${eq(apiTokens.id, requests.actor)}
    JOIN ${members} ON ${eq(members.id, apiTokens.created_by)}
    WHERE ${eq(requests.organization_id, organizationId)} AND ${requests.key} IN (${keys})
      AND ${eq(apiTokens.organization_id, organizationId)}`;
}
