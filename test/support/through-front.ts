import { servicesOf } from "../../src/services.ts";
import { publish } from "../../src/workspace/directory/publish.ts";
import { rebuildStep } from "../../src/workspace/directory/rebuild.ts";
import { type TwoCells, twoCells } from "./cells.ts";

let cells: Promise<TwoCells> | undefined;

async function rebuildDirectory(a: Env): Promise<void> {
  for (let position: string | null = ""; position !== null; )
    position = (await rebuildStep(servicesOf(a), position)).next;
}

/** The number of changes to publish to the directory; null if this database does not record changes yet. */
async function changesIn(db: D1Database): Promise<number | null> {
  const noted = "SELECT count(*) - 1 AS changes FROM directory_changes WHERE EXISTS";
  const isArmed = "(SELECT 1 FROM directory_changes WHERE id = '')";
  const changes = await db.prepare(`${noted} ${isArmed}`).first<number>("changes");
  return changes === -1 ? null : changes;
}

/**
 * Sends a request through the front. Tests may write by SQL at any time, so all changes are published to the directory
 * first. Each test file starts with an empty database, for which the directory is rebuilt.
 */
export async function throughFront(url: string, init: RequestInit): Promise<Response> {
  cells ??= twoCells();
  const { a, send } = await cells;
  if ((await changesIn(a.DB)) === null) await rebuildDirectory(a);
  while (await changesIn(a.DB)) await publish(servicesOf(a));
  const headers = new Headers(init.headers);
  // Requests within this process have no Content-Length, which makes the service treat the body as a large one.
  if (typeof init.body === "string")
    headers.set("content-length", String(new TextEncoder().encode(init.body).byteLength));
  return send(new Request(url, { redirect: "manual", ...init, headers }));
}
