import { servicesOf } from "../../src/services.ts";
import { rebuildStep } from "../../src/workspace/directory/rebuild.ts";
import { type TwoCells, twoCells } from "./cells.ts";

let cells: Promise<TwoCells> | undefined;

/** Tests write by plain SQL, at any time: the directory learns of it before each request. */
export async function throughFront(url: string, init: RequestInit): Promise<Response> {
  cells ??= twoCells();
  const { a, send } = await cells;
  for (let position: string | null = ""; position !== null; )
    position = (await rebuildStep(servicesOf(a), position)).next;
  return send(new Request(url, { redirect: "manual", ...init }));
}
