/**
 * Runs operations that take many steps. While a result has a `next`, the command requests the next step. Numbers
 * are added up, and parts of files are written to the export's folder, which records the position for a command
 * that is killed.
 */
import { manifestFile } from "../../src/lifecycle/complete-copy.ts";
import type { AdminOutcome } from "../../src/operations/admin.ts";
import type { AdminConnection } from "./connection.ts";
import type { ExportFolder } from "./export-folder.ts";

interface Step {
  next: string | null;
  files?: { file: string; text?: string | null; base64?: string | null }[];
  manifest?: string | null;
}

/** Also checks the operation, because a list's pages also have a `next`. */
const isStep = async (operation: string, result: object): Promise<boolean> =>
  "next" in result && (await (await import("./help.ts")).hasSteps(operation));

/** The minimum time between two progress lines about the same file. */
const progressEveryMs = 2_000;

export async function runSteps(
  connection: AdminConnection,
  operation: string,
  fields: Record<string, unknown>,
  folder: ExportFolder | undefined,
): Promise<AdminOutcome> {
  const lastProgress = { about: "", atMs: 0 };
  const { operator: _, ...own } = fields;
  const asked = JSON.stringify([operation, own]);
  const begun = await folder?.goOn(asked);
  if (typeof begun === "string") return { ok: false, message: begun, hint: "name another folder" };
  const sums: Record<string, number> = begun?.sums ?? {};
  for (let position: string | null = begun?.position ?? null; ; ) {
    const outcome = await connection.run(operation, position === null ? fields : { ...fields, position });
    if (!outcome.ok || !(await isStep(operation, outcome.result))) return outcome;
    const { next, files = [], manifest, ...rest } = outcome.result as Step;
    if (files.length > 0 && !folder)
      return {
        ok: false,
        message: "out is required: a folder that is empty or does not exist yet",
        hint: null,
      };
    for (const { file, text, base64 } of files)
      await folder?.write(
        file,
        typeof base64 === "string" ? Buffer.from(base64, "base64") : Buffer.from(text ?? ""),
      );
    if (typeof manifest === "string") await folder?.write(manifestFile, Buffer.from(manifest));
    for (const [name, value] of Object.entries(rest))
      if (typeof value === "number") sums[name] = (sums[name] ?? 0) + value;
    // A step of a move has a state.
    const { state } = rest as { state?: string };
    if (state !== undefined || Object.values(rest).some((value) => typeof value === "number" && value > 0))
      printProgress(lastProgress, state ?? files.at(-1)?.file ?? operation, sums);
    if (next === null) {
      await folder?.end();
      return { ok: true, result: { ...rest, ...sums, ...summaryOf(folder) } };
    }
    await folder?.keep({ asked, position: next, sums });
    position = next;
  }
}

const summaryOf = (folder: ExportFolder | undefined) =>
  folder
    ? { out: folder.path, ...(folder.tables > 0 && { tables: folder.tables }), bytes: folder.bytes }
    : {};

const oneOf = (name: string) => name.replace(/s$/, "");

/** Prints progress to stderr, so that stdout contains only the result. */
function printProgress(
  told: { about: string; atMs: number },
  about: string,
  sums: Record<string, number>,
): void {
  const kind = about.replace(/^images\/.*/, "images");
  if (kind === told.about && Date.now() - told.atMs < progressEveryMs) return;
  Object.assign(told, { about: kind, atMs: Date.now() });
  const counts = Object.entries(sums).map(([name, count]) => `${count} ${count === 1 ? oneOf(name) : name}`);
  process.stderr.write(`${counts.join(", ")} so far (${kind})\n`);
}
