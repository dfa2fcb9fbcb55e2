import { and, gt, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { sessionLimits } from "../contract/session-limits.ts";
import type { Services } from "../core/services.ts";
import { rows } from "../db/build.ts";
import { now, nowWith } from "../db/columns.ts";
import { isIn } from "../db/is-in.ts";
import { run } from "../db/query.ts";
import { reviewKeys } from "../review/access/tables.ts";
import { invitations } from "../workspace/members/tables.ts";
import { sessions, signInLinks } from "../workspace/sessions/tables.ts";

/** Returns the digests that belong to a live session, or to an e-mailed key or link that is still valid. */
export async function findLiveSecrets(
  { db, accounts }: Pick<Services, "db" | "accounts">,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const of = (table: SQLWrapper, hash: SQLWrapper, isLive: SQL | undefined) =>
    sql`SELECT ${hash} AS hash FROM ${table} WHERE ${isIn(hash, hashes)} AND ${isLive}`;
  const isUsed = gt(sessions.last_used_at, nowWith(`-${sessionLimits.idleHours} hours`));
  const ofAccounts = [
    of(sessions, sessions.token_hash, and(gt(sessions.expires_at, now), isUsed)),
    of(
      signInLinks,
      signInLinks.token_hash,
      and(isNull(signInLinks.used_at), gt(signInLinks.expires_at, now)),
    ),
  ];
  const ofWorkspaces = [
    of(reviewKeys, reviewKeys.key_hash, gt(reviewKeys.expires_at, now)),
    of(
      invitations,
      invitations.token_hash,
      and(isNull(invitations.accepted_at), gt(invitations.expires_at, now)),
    ),
  ];
  const find = (among: D1Database, queries: SQL[]) =>
    run(among, rows({ hash: sql<string>`hash` }, sql.join(queries, sql` UNION ALL `)));
  const found =
    accounts === db
      ? await find(db, [...ofAccounts, ...ofWorkspaces])
      : (await Promise.all([find(accounts, ofAccounts), find(db, ofWorkspaces)])).flat();
  return new Set(found.map(({ hash }) => hash));
}
