import * as z from "zod";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import type { Services } from "../services.ts";
import { endKey, pageKey } from "./back-up.ts";

export const BackupStep = z.object({
  files: z
    .array(z.object({ file: z.string(), text: z.string().meta({ description: "SQL" }) }))
    .meta({ description: "Append each step's text to the file" }),
  pages: z.int(),
  next: z
    .string()
    .nullable()
    .meta({ description: "The `position` for the next step; null after the last step" }),
});
type BackupStep = z.output<typeof BackupStep>;

/**
 * Returns a nightly backup page by page, from the last to the first. Concatenated, the pages are a SQL file. Reads only
 * the bucket, because the database may be lost.
 */
export async function readBackup(
  { backups }: Pick<Services, "backups">,
  day: string,
  position: string | undefined,
): Promise<BackupStep | Refusal> {
  const end = await backups.get(endKey(day));
  if (!end) return refuse("backup_not_found", { day });
  const page = position === undefined ? Number(await end.text()) - 1 : Number(position);
  const stored = await backups.get(pageKey(day, page));
  if (!stored) return refuse("position_wrong");
  const text = await new Response(stored.body.pipeThrough(new DecompressionStream("gzip"))).text();
  return { files: [{ file: `${day}.sql`, text }], pages: 1, next: page === 0 ? null : String(page - 1) };
}
