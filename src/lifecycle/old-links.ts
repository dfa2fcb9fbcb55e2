import { and, ne, type SQL, sql } from "drizzle-orm";
import { rows } from "../db/build.ts";
import { batch } from "../db/query.ts";
import { secretHash } from "../platform/secret.ts";
import { shareToken } from "../review/access/share-url.ts";
import { deliverables } from "../review/deliverables/tables.ts";
import { connections } from "../workspace/connections/tables.ts";
import type { Publishing } from "../workspace/directory/publish.ts";
import { invitations } from "../workspace/members/tables.ts";
import { organizations } from "../workspace/organizations/tables.ts";

/** Hashes per statement, because a statement's parameters are limited to 2 MB. */
const hashesAtOnce = 5_000;

/**
 * Adds links and codes without a workspace prefix to the directory. They were created when there was only one cell. The
 * front looks in the first cell for links and codes that are not in the directory (contract Z8).
 */
export async function publishOldLinks({ db, cell }: Publishing, where: (id: SQL) => SQL): Promise<void> {
  if (cell === null || cell.name === cell.names[0]) return;
  const fields = {
    organization_id: sql<string>`organization_id`.as("organization_id"),
    value: sql<string>`value`.as("value"),
  };
  const hasNoPrefix = and(
    where(sql`${deliverables.organization_id}`),
    ne(sql`substr(${shareToken}, 1, 8)`, organizations.link_prefix),
  );
  const [links, hashes] = await batch(db, [
    rows(
      fields,
      sql`SELECT ${deliverables.organization_id} AS organization_id, ${shareToken} AS value FROM ${deliverables}
        JOIN ${organizations} ON ${organizations.id} = ${deliverables.organization_id} WHERE ${hasNoPrefix}`,
    ),
    rows(
      fields,
      sql`SELECT ${invitations.organization_id} AS organization_id, ${invitations.token_hash} AS value
        FROM ${invitations} WHERE ${where(sql`${invitations.organization_id}`)}
        UNION ALL SELECT ${connections.organization_id}, ${connections.code_hash} FROM ${connections}
        WHERE ${connections.code_hash} IS NOT NULL AND ${where(sql`${connections.organization_id}`)}`,
    ),
  ]);
  const found = [
    ...links.map(({ organization_id, value }) => [secretHash(value), organization_id]),
    ...hashes.map(({ organization_id, value }) => [value, organization_id]),
  ];
  for (let at = 0; at < found.length; at += hashesAtOnce)
    await cell.directory
      .prepare(insertHashes)
      .bind(JSON.stringify(found.slice(at, at + hashesAtOnce)))
      .run();
}

const insertHashes = `INSERT INTO old_links (hash, organization_id)
  SELECT value ->> 0, value ->> 1 FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`;
