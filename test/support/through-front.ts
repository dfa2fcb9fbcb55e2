import { servicesOf } from "../../src/services.ts";
import { publish } from "../../src/workspace/directory/publish.ts";
import { rebuildStep } from "../../src/workspace/directory/rebuild.ts";
import { type TwoCells, twoCells } from "./cells.ts";

let cells: Promise<TwoCells> | undefined;

async function started(): Promise<TwoCells> {
  const both = await twoCells();
  for (let position: string | null = ""; position !== null; )
    position = (await rebuildStep(servicesOf(both.a), position)).next;
  return both;
}

const hasChanges = async (db: D1Database): Promise<boolean> =>
  (await db.prepare("SELECT 1 FROM directory_changes WHERE id <> '' LIMIT 1").first()) !== null;

/** Tests write by plain SQL, at any time: the directory learns of it before each request. */
export async function throughFront(url: string, init: RequestInit): Promise<Response> {
  cells ??= started();
  const { a, send } = await cells;
  while (await hasChanges(a.DB)) await publish(servicesOf(a));
  return send(new Request(url, { redirect: "manual", ...init }));
}
