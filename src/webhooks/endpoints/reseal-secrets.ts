import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Services } from "../../core/services.ts";
import { build, changesRow, rowsOf } from "../../db/build.ts";
import { batch, type Query, run } from "../../db/query.ts";
import { decrypt, encrypt, isOfNewestKey } from "../../platform/encryption.ts";
import { webhookEndpoints as table } from "./tables.ts";

/** The result for all workspaces' endpoints. */
export interface Resealed {
  endpoints: number;
  resealed: number;
  /**
   * The ids of endpoints with a secret or headers that no configured key can decrypt. Rotate the secret and set
   * the headers again.
   */
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
        headers_encrypted: table.headers_encrypted,
      })
      .from(table)
      .where(and(gt(table.id, id), isNull(table.deleted_at)))
      .orderBy(asc(table.id))
      .limit(endpointsAtATime),
  );
type Sealed = ReturnType<ReturnType<typeof pageAfter>["read"]>[number];

/**
 * Encrypts all secrets and headers with the newest key while the service is running. A secret that is rotated in the
 * meantime keeps its new value. Endpoints are written a page at a time, because an invocation can make only a thousand
 * calls.
 */
export async function resealSecrets({
  db,
  webhookSecretKey: keys,
}: Pick<Services, "db" | "webhookSecretKey">): Promise<Resealed> {
  const result: Resealed = { endpoints: 0, resealed: 0, unreadable: [] };
  for (let after = ""; ; ) {
    const page = await run(db, pageAfter(after));
    const moves: Query<boolean>[] = [];
    for (const endpoint of page.filter((each) => !isResealed(keys, each))) {
      try {
        moves.push(moveTo(endpoint, await resealed(keys, endpoint)));
      } catch {
        result.unreadable.push(endpoint.id);
      }
    }
    if (moves.length > 0) result.resealed += (await batch(db, moves)).filter((isMoved) => isMoved).length;
    result.endpoints += page.length;
    const last = page.at(-1);
    if (!last || page.length < endpointsAtATime) return result;
    after = last.id;
  }
}

type Secrets = Pick<Sealed, "secret_encrypted" | "previous_secret_encrypted" | "headers_encrypted">;

const isResealed = (keys: string, secrets: Secrets): boolean =>
  [secrets.secret_encrypted, secrets.previous_secret_encrypted, secrets.headers_encrypted].every(
    (text) => text === null || isOfNewestKey(keys, text),
  );

async function resealed(keys: string, endpoint: Sealed): Promise<Secrets> {
  const { id, secret_encrypted, previous_secret_encrypted, headers_encrypted } = endpoint;
  const again = async (text: string) => encrypt(keys, id, await decrypt(keys, id, text));
  return {
    secret_encrypted: await again(secret_encrypted),
    previous_secret_encrypted: previous_secret_encrypted && (await again(previous_secret_encrypted)),
    headers_encrypted: headers_encrypted && (await again(headers_encrypted)),
  };
}

/** Writes the new ciphertexts, unless a rotation or an update came first. Returns whether the row changed. */
function moveTo(
  { id, organization_id, secret_encrypted, headers_encrypted }: Sealed,
  set: Secrets,
): Query<boolean> {
  const where = and(
    eq(table.id, id),
    eq(table.organization_id, organization_id),
    eq(table.secret_encrypted, secret_encrypted),
    sql`${table.headers_encrypted} IS ${headers_encrypted}`,
  );
  return changesRow(build.update(table).set(set).where(where).returning({ id: table.id }));
}
