import { moveLimits } from "../contract/move.ts";
import { BoundedMap } from "../platform/bounded-map.ts";
import { sha256Hex } from "../platform/digest.ts";

/** How a request identifies its workspace. */
export interface WorkspaceKey {
  by: "token" | "prefix" | "slug" | "id" | "session";
  value: string;
}

export const keyOfToken = (token: string): WorkspaceKey => ({ by: "token", value: sha256Hex(token) });

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A slug never looks like an id. An id may be in capitals. */
export const keyOfSlugOrId = (text: string): WorkspaceKey =>
  idPattern.test(text) ? { by: "id", value: text.toLowerCase() } : { by: "slug", value: text };

/** Queries for a workspace's cell. */
const cellBy = {
  token: `SELECT cell, state FROM api_tokens JOIN organizations ON organizations.id = organization_id
    WHERE token_hash = ?`,
  /** A link that matches neither belongs to the first cell. */
  prefix: `SELECT cell, state FROM organizations WHERE link_prefix = substr(?1, 1, 8)
    OR id = (SELECT organization_id FROM old_links WHERE hash = ?2)`,
  slug: "SELECT cell, state FROM organizations WHERE slug = ?",
  id: "SELECT cell, state FROM organizations WHERE id = ?",
  /** Only if the person belongs to a single workspace. */
  session: `SELECT min(cell) AS cell, min(state) AS state FROM sessions JOIN members ON members.email = sessions.email
    JOIN organizations ON organizations.id = organization_id WHERE token_hash = ? HAVING count(*) = 1`,
} as const;

interface DirectoryEntry {
  cell: string;
  state: string;
}

const findEntryBy = (directory: D1Database, { by, value }: WorkspaceKey): Promise<DirectoryEntry | null> =>
  directory
    .prepare(cellBy[by])
    .bind(...(by === "prefix" ? [value, sha256Hex(value)] : [value]))
    .first<DirectoryEntry>();

const pollIntervalMs = 50;

/** Repeats `look` while a workspace is being switched between cells, because during the switch neither cell has it. */
async function waitForSwitch<T>(look: () => Promise<T>, isSwitching: (seen: T) => unknown): Promise<T> {
  for (const endMs = Date.now() + moveLimits.holdMs; ; ) {
    const seen = await look();
    if (Date.now() > endMs || !(await isSwitching(seen))) return seen;
    await scheduler.wait(pollIntervalMs);
  }
}

/** Finds a workspace's cell in the directory; null if there is none. */
export async function findCell(directory: D1Database, named: WorkspaceKey): Promise<string | null> {
  const place = await waitForSwitch(
    () => findEntryBy(directory, named),
    (seen) => seen?.state === "switching",
  );
  return place?.cell ?? null;
}

/**
 * Retries a request that does not identify its workspace, because a 404 may be wrong while a workspace is being
 * switched.
 */
export const retryWhileSwitching = (directory: D1Database, ask: () => Promise<Response>): Promise<Response> =>
  waitForSwitch(ask, ({ status }) => status === 404 && isAnySwitching(directory).catch(() => false));

const isAnySwitching = async (directory: D1Database): Promise<boolean> =>
  (await directory.prepare("SELECT 1 FROM organizations WHERE state = 'switching' LIMIT 1").first()) !== null;

/** About 100 bytes each. */
const maxRemembered = 10_000;

/** The cells that this isolate has looked up. Failed lookups are not cached, so a new name works at once. */
const known = new BoundedMap<string>(maxRemembered);

const cacheKeyOf = ({ by, value }: WorkspaceKey) => `${by} ${value}`;

export const rememberCell = (named: WorkspaceKey, cell: string): void =>
  void known.set(cacheKeyOf(named), cell);

/** Sessions are not cached, because their workspaces can change. */
export const rememberedCell = (named: WorkspaceKey): string | undefined =>
  named.by === "session" ? undefined : known.get(cacheKeyOf(named));

/** Finds a workspace's id by slug or id. */
export const findId = async (directory: D1Database, slugOrId: string): Promise<string | null> =>
  (await directory
    .prepare("SELECT id FROM organizations WHERE id = ?1 OR slug = ?1")
    .bind(keyOfSlugOrId(slugOrId).value)
    .first<string>("id")) ?? null;
