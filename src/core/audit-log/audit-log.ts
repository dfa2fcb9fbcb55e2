import { and, eq, gte, lt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { auditLimits } from "../../contract/limits.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import { rows } from "../../db/build.ts";
import { mapped, type Query, run } from "../../db/query.ts";
import { members } from "../../workspace/members/tables.ts";
import { apiTokens } from "../../workspace/tokens/tables.ts";
import { ledger } from "../ledger/tables.ts";
import type { AuditEntry } from "./record.ts";
import { auditLog } from "./tables.ts";

interface AuditSearch {
  limit: number;
  /** Only entries for this token's API requests. */
  token?: string;
  /** Only entries at or after `since` and before `until`. */
  since?: string;
  until?: string;
}

/** Adds filters that have no index. For these, the search scans the newest entries. */
interface AuditFilter extends AuditSearch {
  /** The member's e-mail address. */
  person?: string;
  action?: string;
}

/**
 * Searches the audit log. A search by person or action scans the newest `auditLimits.entries` entries; a search by
 * token scans the newest `auditLimits.entriesOfTokens`. If no scanned entry matches, the refusal says where to
 * continue.
 */
export async function searchAuditLog(
  db: D1Database,
  organizationId: string,
  { person, action, ...search }: AuditFilter,
): Promise<AuditEntry[] | Refusal> {
  const isFiltered = person !== undefined || action !== undefined;
  const maxEntries = isFiltered ? auditLimits.entries : search.limit;
  const { entries, end } = await run(db, newestAuditEntries(organizationId, search, maxEntries));
  const found = entries.filter(
    (entry) =>
      (person === undefined || entry.actor.toLowerCase() === person.toLowerCase()) &&
      (action === undefined || entry.action === action),
  );
  if (found.length > 0) return found.slice(0, search.limit);
  const scanned = search.token === undefined ? maxEntries : auditLimits.entriesOfTokens;
  return end === null ? [] : endedEarly(scanned, end);
}

/**
 * Builds the refusal for a search that ended early. `until` is 1 ms after the last scanned entry, because other entries
 * from that millisecond may not have been scanned.
 */
const endedEarly = (entries: number, lastAt: string): Refusal =>
  refuse("activity_search_ended_early", {
    entries,
    until: new Date(Date.parse(lastAt) + 1).toISOString(),
  });

const entry = {
  id: auditLog.id,
  actor: auditLog.actor,
  operator: auditLog.operator,
  action: auditLog.action,
  subject_id: auditLog.subject_id,
  api_token_id: sql<string | null>`api_token_id`.as("api_token_id"),
  details: auditLog.details,
  created_at: auditLog.created_at,
  /** 0 for an audit log entry. For a ledger entry, 1 or, in a search by token, its number among the scanned entries. */
  scanned: sql<number>`scanned`.as("scanned"),
};

interface NewestEntries {
  entries: AuditEntry[];
  /** The time of the oldest scanned entry; null if every entry was scanned. */
  end: string | null;
}

/**
 * Merges a workspace's newest entries from the ledger (tokens' actions) and the audit log (admins' actions). Indexes
 * provide their positions, so only the rows of the newest entries are read.
 */
function newestAuditEntries(
  organizationId: string,
  search: AuditSearch,
  maxEntries: number,
): Query<NewestEntries> {
  const { id, actor, operator, action, subject_id, details, sequence } = auditLog;
  const either = (ofAdmins: SQLWrapper, ofTokens: SQLWrapper) => sql`coalesce(${ofAdmins}, ${ofTokens})`;
  const ofRequest = and(eq(ledger.organization_id, organizationId), sql`${ledger.key} = found.place`);
  const ofToken = and(eq(apiTokens.id, ledger.actor), eq(apiTokens.organization_id, organizationId));
  const selected = sql`SELECT ${either(id, ledger.request_id)} AS id, ${either(actor, members.email)} AS actor,
      ${operator} AS operator, ${either(action, ledger.action)} AS action,
      ${either(subject_id, ledger.subject_id)} AS subject_id, ${apiTokens.id} AS api_token_id,
      ${either(details, ledger.details)} AS details, found.created_at AS created_at, found.scanned AS scanned
    FROM (${newestPlaces(organizationId, search, maxEntries)}) AS found
      LEFT JOIN ${auditLog} ON ${sequence} = found.place AND found.scanned = 0
      LEFT JOIN ${ledger} ON ${ofRequest} AND found.scanned > 0
      LEFT JOIN ${apiTokens} ON ${ofToken} LEFT JOIN ${members} ON ${eq(members.id, apiTokens.created_by)}
    ORDER BY found.created_at DESC, found.place DESC`;
  return mapped(rows(entry, selected), (found) => {
    const last = found.at(-1);
    const isEnd = found.length >= maxEntries || last?.scanned === auditLimits.entriesOfTokens;
    const isMeant = ({ api_token_id, scanned }: (typeof found)[number]) =>
      scanned === 0 || (api_token_id !== null && api_token_id === (search.token ?? api_token_id));
    return {
      entries: found.filter(isMeant).map(({ scanned: _, ...of }) => of),
      end: last && isEnd ? last.created_at : null,
    };
  });
}

const inPeriod = (createdAt: SQLiteColumn, { since, until }: AuditSearch): SQL | undefined =>
  and(
    since === undefined ? undefined : gte(createdAt, since),
    until === undefined ? undefined : lt(createdAt, until),
  );

/** Selects the positions of the newest entries. `place` orders entries that were written at the same time. */
function newestPlaces(organizationId: string, search: AuditSearch, maxEntries: number): SQL {
  const { created_at, sequence } = auditLog;
  const own = and(eq(auditLog.organization_id, organizationId), inPeriod(created_at, search));
  const ofAdmins = sql`SELECT ${created_at}, ${sequence} AS place, 0 AS scanned FROM ${auditLog} WHERE ${own}
    ORDER BY ${created_at} DESC, ${sequence} DESC LIMIT ${maxEntries}`;
  // Repeats the GLOB condition of the partial index on tokens' entries, so that SQLite uses the index.
  const ofWorkspace = and(
    eq(ledger.organization_id, organizationId),
    sql`(key GLOB 'key:*' OR key GLOB 'request:*')`,
    inPeriod(ledger.created_at, search),
  );
  const ofTokens = (limit: number) => sql`SELECT created_at, key AS place, actor FROM ${ledger}
    WHERE ${ofWorkspace} ORDER BY ${ledger.created_at} DESC LIMIT ${limit}`;
  if (search.token === undefined) {
    return sql`SELECT * FROM (${ofAdmins})
      UNION ALL SELECT created_at, place, 1 AS scanned FROM (${ofTokens(maxEntries)})
      ORDER BY created_at DESC, place DESC LIMIT ${maxEntries}`;
  }
  const { entriesOfTokens } = auditLimits;
  const numbered = sql`SELECT *, row_number() OVER () AS scanned FROM (${ofTokens(entriesOfTokens)})`;
  return sql`SELECT created_at, place, scanned FROM (${numbered})
    WHERE actor = ${search.token} OR scanned = ${entriesOfTokens} ORDER BY scanned LIMIT ${maxEntries}`;
}
