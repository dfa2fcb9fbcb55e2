/** Imports the folder of a complete export. Checks that the folder is complete before it sends anything. */
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import {
  addRows,
  addTexts,
  type CopiedImage,
  coordinatorFile,
  emptyDigest,
  manifestFile,
  readManifest,
} from "../../src/lifecycle/complete-copy.ts";
import { nameOf, ownTables } from "../../src/lifecycle/rows-of-organization.ts";
import type { AdminOutcome } from "../../src/operations/admin.ts";
import { inParallel } from "../../src/platform/in-parallel.ts";

const importOperation = "import-organization";

/** The most rows and characters that one call sends. */
const pageLimits = { rows: 100, characters: 500_000 };

/** The number of concurrent calls, which mostly wait for the network. */
const imagesAtOnce = 6;

type Run = (operation: string, fields: Record<string, unknown>) => Promise<AdminOutcome>;

interface Step {
  id: string;
  organization: string;
  rows: number;
  images: number;
  compared: { table: string; rows: number; digest: string } | null;
  erased_clients: string[];
  next: string | null;
}

type CopiedManifest = Exclude<ReturnType<typeof readManifest>, string>;

const refused = (message: string, hint: string | null = null) => ({ ok: false as const, message, hint });
const notWhole = (why: string) =>
  refused(`This copy is incomplete: ${why}`, "export it again with --complete true, or use an older copy");

export async function importFolder(
  run: Run,
  { from, ...fields }: Record<string, unknown>,
  tell: (line: string) => void,
): Promise<AdminOutcome> {
  if (typeof from !== "string") return refused("from is required: the folder of a complete export");
  const folder = resolve(from);
  if (!existsSync(join(folder, manifestFile))) return notWhole(`${from} has no ${manifestFile}`);
  const text = await readFile(join(folder, manifestFile), "utf8");
  const manifest = readManifest(text.split("\n").filter((line) => line !== ""));
  if (typeof manifest === "string") return notWhole(manifest);
  const wrong =
    (await wrongTable(folder, manifest.tables)) ??
    (await wrongCoordinator(folder, manifest.coordinator)) ??
    (await wrongImage(folder, manifest.images));
  if (wrong) return notWhole(wrong);

  const ask = async (more: Record<string, unknown>): Promise<Step> => {
    const outcome = await run(importOperation, { ...fields, ...more });
    if (!outcome.ok) throw new Stopped(outcome);
    return outcome.result as Step;
  };
  try {
    const lines = text.split("\n").filter((line) => !line.startsWith('{"image"'));
    const begun = await ask({ text: lines.join("\n") });
    if (begun.next === null) return { ok: true, result: importedBefore(begun, manifest) };
    let at = Number(JSON.parse(begun.next ?? "[]")[2]);
    const isResumed = at > 0;
    let skipped = at;
    for (const { table } of ownTables) {
      const name = nameOf(table);
      for await (const page of pagesOf(join(folder, `${name}.jsonl`))) {
        const left = page.slice(skipped);
        skipped -= page.length - left.length;
        if (left.length === 0) continue;
        const position = JSON.stringify(["rows", begun.id, at, name]);
        at += (await ask({ position, text: left.join("\n") })).rows;
        tell(`${at} rows so far (${name})`);
      }
    }
    await inParallel(imagesAtOnce, manifest.images, async ({ image, content_type, sha256 }) => {
      const position = JSON.stringify(["image", begun.id, image, content_type, sha256]);
      // A resumed import first sends each image's entry without its bytes, because the service already has some of the
      // images.
      if (isResumed && (await ask({ position })).images > 0) return;
      await ask({ position, base64: (await readFile(join(folder, "images", image))).toString("base64") });
    });
    let kept = 0;
    for await (const page of pagesOf(join(folder, coordinatorFile))) {
      await ask({ position: JSON.stringify(["coordinator", begun.id, kept]), text: page.join("\n") });
      kept += page.length;
    }
    tell(`${manifest.images.length} images; comparing every table`);
    const tables: unknown[] = [];
    let step = await ask({
      position: JSON.stringify(["compare", begun.id, nameOf(ownTables[0]?.table as never), 0, emptyDigest]),
    });
    for (;;) {
      if (step.compared) tables.push(step.compared);
      if (step.next === null) break;
      step = await ask({ position: step.next });
    }
    const { id, organization, erased_clients } = step;
    const result = { id, organization, rows: at, images: manifest.images.length, erased_clients, tables };
    return { ok: true, result };
  } catch (error) {
    if (error instanceof Stopped) return error.outcome;
    throw error;
  }
}

/** The result of a call with the key of a finished import, in which every table matched the export. */
function importedBefore({ next: _, compared: __, ...done }: Step, manifest: CopiedManifest) {
  const tables = ownTables.map(({ table }) => ({ table: nameOf(table), ...manifest.tables[nameOf(table)] }));
  const rows = tables.reduce((sum, table) => sum + (table.rows ?? 0), 0);
  return { ...done, rows, images: manifest.images.length, tables };
}

class Stopped extends Error {
  readonly outcome: Extract<AdminOutcome, { ok: false }>;
  constructor(outcome: Extract<AdminOutcome, { ok: false }>) {
    super(outcome.message);
    this.outcome = outcome;
  }
}

async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = "";
  for await (const part of createReadStream(path, "utf8")) {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest;
}

async function* pagesOf(path: string): AsyncGenerator<string[]> {
  if (!existsSync(path)) return;
  let page: string[] = [];
  let characters = 0;
  for await (const line of linesOf(path)) {
    if (line === "") continue;
    const isFull = page.length >= pageLimits.rows || characters + line.length > pageLimits.characters;
    if (page.length > 0 && isFull) {
      yield page;
      page = [];
      characters = 0;
    }
    page.push(line);
    characters += line.length;
  }
  if (page.length > 0) yield page;
}

async function wrongTable(
  folder: string,
  tables: Readonly<Record<string, { rows: number; digest: string }>>,
): Promise<string | undefined> {
  for (const own of ownTables) {
    const name = nameOf(own.table);
    const expected = tables[name];
    if (!expected) continue;
    let [rows, digest] = [0, emptyDigest];
    try {
      for await (const page of pagesOf(join(folder, `${name}.jsonl`))) {
        rows += page.length;
        digest = addRows(
          digest,
          own,
          page.map((line) => JSON.parse(line)),
        );
      }
    } catch {
      return `a line of ${name}.jsonl cannot be read`;
    }
    if (rows !== expected.rows) return `${name}.jsonl has ${rows} rows, not ${expected.rows}`;
    if (digest !== expected.digest) return `${name}.jsonl was changed (its digest differs)`;
  }
  return undefined;
}

async function wrongCoordinator(
  folder: string,
  expected: CopiedManifest["coordinator"],
): Promise<string | undefined> {
  let [rows, digest] = [0, emptyDigest];
  for await (const page of pagesOf(join(folder, coordinatorFile))) {
    rows += page.length;
    digest = addTexts(digest, page);
  }
  if (rows !== expected.rows) return `${coordinatorFile} has ${rows} rows, not ${expected.rows}`;
  return digest === expected.digest ? undefined : `${coordinatorFile} was changed (its digest differs)`;
}

async function wrongImage(folder: string, images: readonly CopiedImage[]): Promise<string | undefined> {
  const root = join(folder, "images");
  for (const { image, bytes, sha256 } of images) {
    const path = join(root, image);
    if (!path.startsWith(root + sep) || !existsSync(path)) return `it is missing the image ${image}`;
    if ((await stat(path)).size !== bytes) return `the image ${image} has a different size`;
    if (sha256 === null) continue;
    const found = createHash("sha256")
      .update(await readFile(path))
      .digest("hex");
    if (found !== sha256) return `the image ${image} was changed (its digest differs)`;
  }
  return undefined;
}
