import { type Refusal, refuse } from "../contract/refusal.ts";
import type { Publishing } from "../workspace/directory/publish.ts";
import { reserveNames } from "../workspace/directory/reserve.ts";
import type { Manifest } from "./complete-copy.ts";

interface Copy {
  id: string;
  slug: string;
  manifest: Pick<Manifest, "link_prefix">;
}

/**
 * Reserves the names of an imported workspace in all cells (contract Z5): for a minute, and again when its first rows
 * arrive, because an import without rows cannot be erased. Returns a refusal if another workspace has one of the names.
 */
export async function reserveNamesOfCopy(
  services: Publishing,
  { id, slug, manifest: { link_prefix } }: Copy,
  state: "founding" | "arriving",
): Promise<Refusal | undefined> {
  const taken = await reserveNames(services, { id, slug, link_prefix }, state);
  if (taken === "id") return refuse("copy_exists", { organization: slug });
  if (taken === "slug") return refuse("copy_slug_taken", { organization: slug });
  return taken === null ? undefined : refuse("copy_prefix_taken", { prefix: link_prefix });
}
