/**
 * Operations that take many steps: an answer with `next` is one of them, and the command asks for the one after. Its
 * numbers are added up; parts of files go into the export's folder.
 */
import { manifestFile } from "../../src/leaving/complete-copy.ts";
import type { AdminOutcome } from "../../src/operations/admin.ts";
import type { AdminConnection } from "./connection.ts";
import type { ExportFolder } from "./export-folder.ts";

interface Step {
  next: string | null;
  file?: string;
  text?: string | null;
  base64?: string | null;
  manifest?: string | null;
}

const isStep = (result: object): result is Step => "next" in result;

/** Between two lines of progress about the same file. */
const progressEveryMs = 2_000;

export async function inSteps(
  connection: AdminConnection,
  operation: string,
  fields: Record<string, unknown>,
  folder: ExportFolder | undefined,
): Promise<AdminOutcome> {
  const told = { about: "", atMs: 0 };
  const sums: Record<string, number> = {};
  for (let position: string | null = null; ; ) {
    const outcome = await connection.run(operation, position === null ? fields : { ...fields, position });
    if (!outcome.ok || !isStep(outcome.result)) return outcome;
    const { next, file, text, base64, manifest, ...rest } = outcome.result;
    if (file !== undefined && !folder)
      return { ok: false, message: "out is required: a folder that is empty or not there yet", hint: null };
    if (file !== undefined && typeof text === "string") await folder?.write(file, Buffer.from(text));
    if (file !== undefined && typeof base64 === "string")
      await folder?.write(file, Buffer.from(base64, "base64"));
    if (typeof manifest === "string") await folder?.write(manifestFile, Buffer.from(manifest));
    for (const [name, value] of Object.entries(rest))
      if (typeof value === "number") sums[name] = (sums[name] ?? 0) + value;
    if (Object.values(rest).some((value) => typeof value === "number" && value > 0))
      tell(told, file ?? operation, sums);
    if (next === null) return { ok: true, result: { ...rest, ...sums, ...summaryOf(folder) } };
    position = next;
  }
}

const summaryOf = (folder: ExportFolder | undefined) =>
  folder
    ? { out: folder.path, ...(folder.tables > 0 && { tables: folder.tables }), bytes: folder.bytes }
    : {};

/** What is counted, in the singular. */
const oneOf = (name: string) => name.replace(/s$/, "");

/** On stderr, so that the result stands alone on stdout. */
function tell(told: { about: string; atMs: number }, about: string, sums: Record<string, number>): void {
  const kind = about.replace(/^images\/.*/, "images");
  if (kind === told.about && Date.now() - told.atMs < progressEveryMs) return;
  Object.assign(told, { about: kind, atMs: Date.now() });
  const counts = Object.entries(sums).map(([name, count]) => `${count} ${count === 1 ? oneOf(name) : name}`);
  process.stderr.write(`${counts.join(", ")} so far (${kind})\n`);
}
