import type { CellOutcome, FrontEnv } from "./cells.ts";

/**
 * The keys of operations that create, import or erase a workspace belong to the service (contract O19), but each cell
 * has its own ledger. The directory therefore records the cell in which a key was first used, so that later calls with
 * the key reach the ledger that has its entry, even if the workspace is gone or another one is named.
 */

const operations: ReadonlySet<string> = new Set([
  "create-organization",
  "import-organization",
  "erase-organization",
]);

interface KeyedCall {
  /** The cell to use if the key is new. */
  cell: string;
  name: string;
  key: unknown;
}

/** Runs an operation in the cell in which its key was first used. Only a successful call uses up its key. */
export async function runWithKey(
  { DIRECTORY: directory }: FrontEnv,
  { cell, name, key }: KeyedCall,
  run: (cell: string) => Promise<CellOutcome>,
): Promise<CellOutcome> {
  if (typeof key !== "string" || !operations.has(name)) return run(cell);
  const claim = directory.prepare(
    "INSERT INTO service_keys (key, cell) VALUES (?, ?) ON CONFLICT DO NOTHING",
  );
  const { meta } = await claim.bind(key, cell).run();
  const known = await directory
    .prepare("SELECT cell FROM service_keys WHERE key = ?")
    .bind(key)
    .first<string>("cell");
  const outcome = await run(known ?? cell);
  if (!outcome.ok && meta.changes > 0)
    await directory.prepare("DELETE FROM service_keys WHERE key = ?").bind(key).run();
  return outcome;
}
