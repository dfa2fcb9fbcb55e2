import { and, asc, eq, gt, isNull } from "drizzle-orm";
import { build, changesRow, rowsOf } from "../../db/build.ts";
import { run } from "../../db/query.ts";
import { webhookEndpoints as table } from "../../db/schema/webhooks.ts";
import { decrypt, encrypt, isOfNewestKey } from "../../platform/encryption.ts";

/** What became of the endpoints of all workspaces. */
export interface Resealed {
  endpoints: number;
  resealed: number;
  /** Ids of those whose secret no key that is set can read: rotate them. */
  unreadable: string[];
}

const endpointsAtATime = 100;

const pageAfter = (id: string) =>
  rowsOf(
    build
      .select({
        id: table.id,
        organization_id: table.organization_id,
        secret_encrypted: table.secret_encrypted,
        previous_secret_encrypted: table.previous_secret_encrypted,
      })
      .from(table)
      .where(and(gt(table.id, id), isNull(table.deleted_at)))
      .orderBy(asc(table.id))
      .limit(endpointsAtATime),
  );
type Sealed = ReturnType<ReturnType<typeof pageAfter>["read"]>[number];

/**
 * Moves every secret to the newest key. Nothing stops meanwhile; a secret that is rotated meanwhile stays as it
 * became.
 */
export async function resealSecrets(db: D1Database, keys: string): Promise<Resealed> {
  const result: Resealed = { endpoints: 0, resealed: 0, unreadable: [] };
  for (let after = ""; ; ) {
    const page = await run(db, pageAfter(after));
    for (const endpoint of page) {
      try {
        if (await reseal(db, keys, endpoint)) result.resealed += 1;
      } catch {
        result.unreadable.push(endpoint.id);
      }
    }
    result.endpoints += page.length;
    const last = page.at(-1);
    if (!last || page.length < endpointsAtATime) return result;
    after = last.id;
  }
}

/** Whether it changed. The old text stands in the condition: whoever rotated in between wins. */
async function reseal(db: D1Database, keys: string, endpoint: Sealed): Promise<boolean> {
  const { id, organization_id, secret_encrypted, previous_secret_encrypted } = endpoint;
  const isNew = (text: string | null) => text === null || isOfNewestKey(keys, text);
  if (isNew(secret_encrypted) && isNew(previous_secret_encrypted)) return false;
  const again = async (text: string) => encrypt(keys, id, await decrypt(keys, id, text));
  const set = {
    secret_encrypted: await again(secret_encrypted),
    previous_secret_encrypted: previous_secret_encrypted && (await again(previous_secret_encrypted)),
  };
  const where = and(
    eq(table.id, id),
    eq(table.organization_id, organization_id),
    eq(table.secret_encrypted, secret_encrypted),
  );
  return run(db, changesRow(build.update(table).set(set).where(where).returning({ id: table.id })));
}
