import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { adminCommand } from "../../scripts/admin/command.ts";
import { ExportFolder } from "../../scripts/admin/export-folder.ts";
import { readCommand } from "../../scripts/admin/parameters.ts";
import { inWords, refusalInWords } from "../../scripts/admin/print.ts";
import { replayInSteps } from "../../scripts/admin/replay.ts";
import { runSteps } from "../../scripts/admin/run-steps.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const read = (line: string) => readCommand(line.split(" "));

describe("the command line of npm run admin", () => {
  it("parses an operation, its fields and the switches [O1]", () => {
    expect(read("create-organization --owner-email a@b.co --name=X=Y --json")).toEqual({
      operation: "create-organization",
      fields: { owner_email: "a@b.co", name: "X=Y" },
      json: true,
      help: false,
      environment: undefined,
      out: undefined,
    });
    expect(read("export-organization --out a/b")).toMatchObject({ out: "a/b", fields: {} });
    expect(read("audit-log --env production")).toMatchObject({ environment: "production", fields: {} });
  });

  it("treats a field without a value as true, and a negative number as a value", () => {
    expect(read("create-client --sample --name x")).toMatchObject({ fields: { sample: true, name: "x" } });
    expect(read("create-client --name x --sample")).toMatchObject({ fields: { sample: true, name: "x" } });
    expect(read("create-change-order --amount -50")).toMatchObject({ fields: { amount: "-50" } });
    expect(read("create-change-order --amount=-50 --json")).toMatchObject({
      fields: { amount: "-50" },
      json: true,
    });
  });

  it.each([
    ["audit-log now", /now has no field before it/],
    ["audit-log -5", /-5 has no field before it/],
    ["audit-log --limit 1 --limit 2", /--limit is given more than once/],
    ["audit-log --env test", /--env must be production or staging/],
    ["export-organization --out a --out b", /--out is given more than once/],
    ["audit-log --operator kim", /--operator cannot be set/],
    ["audit-log --operator", /--operator cannot be set/],
    ["export-organization --out --json", /--out needs a folder/],
    ["export-organization --out= --json", /--out needs a folder/],
    ["export-organization --out  --json", /--out needs a folder/],
  ])("%s is rejected with an error message", (line, message) => {
    expect(read(line)).toMatch(message);
  });

  it("prints its errors as JSON on stdout with --json", async () => {
    const told = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    expect(await adminCommand(["audit-log", "now", "--json"])).toBe(1);
    expect(JSON.parse(String(told.mock.calls[0]?.[0]))).toEqual({
      message: "Write fields as --field value. now has no field before it",
      hint: "npm run admin -- --help",
    });
  });

  it("prints help as text even with --json", async () => {
    const told = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    expect(await adminCommand(["--json", "--help"])).toBe(0);
    expect(told.mock.calls.join()).toContain("npm run admin -- OPERATION");
  });
});

it("npm run admin exits silently when the reader of its output stops early", () => {
  const script = join(import.meta.dirname, "..", "..", "scripts", "admin.ts");
  const command = `{ "$0" --no-warnings "$1" --help; echo "exit $?" >&2; } | true`;
  const { stderr } = spawnSync("sh", ["-c", command, process.execPath, script], { encoding: "utf8" });
  expect(stderr).toBe("exit 0\n");
});

it("printed data has its control characters escaped", () => {
  const name = "Acme\u001b[2J\u009b1m\u202egnp";
  const shown = "Acme\\u001b[2J\\u009b1m\\u202egnp";
  for (const words of [inWords({ name, details: { name } }), inWords([{ name, names: [name] }])]) {
    expect(words).toContain(shown);
    expect(words.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_C}]/u);
  }
});

it.each([
  ["slug is required", "--slug is required"],
  ["company_name or client_name is required", "--company-name or --client-name is required"],
  ["end_date must not be before start_date", "--end-date must not be before --start-date"],
  ["line_items.0.unit_price is required", "--line-items.0.unit_price is required"],
  ["status must be one of open, partially_paid", "--status must be one of open, partially_paid"],
  ["organization is required (slug or id)", "--organization is required (slug or id)"],
  [
    "There is no webhook endpoint a_b in this workspace",
    "There is no webhook endpoint a_b in this workspace",
  ],
  ["create-client writes no files: leave out --out", "create-client writes no files: leave out --out"],
  [
    "Write fields as --field value. now has no field before it",
    "Write fields as --field value. now has no field before it",
  ],
])("a printed error names fields as options: %s", (message, words) => {
  expect(refusalInWords({ message, hint: null })).toBe(words);
});

it("a printed hint names fields as options, with control characters escaped", () => {
  const wordsOf = (hint: string) => refusalInWords({ message: "nam is not a known field", hint }).split("\n");
  expect(wordsOf("fields: name, owner_email")).toEqual([
    "--nam is not a known field",
    "fields: --name, --owner-email",
  ]);
  expect(wordsOf("fields: none").at(-1)).toBe("fields: none");
  expect(wordsOf("enable it first\u001b[2J").at(-1)).toBe("enable it first\\u001b[2J");
});

describe("a replay of many deliveries", () => {
  const serviceWith = (dead: number) => {
    const calls: Record<string, unknown>[] = [];
    const run = async (_: string, fields: Record<string, unknown>) => {
      calls.push(fields);
      const matched = dead;
      const replayed = fields.dry_run ? 0 : Math.min(dead, Number(fields.limit));
      dead -= replayed;
      return { ok: true as const, result: { matched, replayed } };
    };
    return { calls, run };
  };
  const replay = async (dead: number, fields: Record<string, unknown> = {}) => {
    const { calls, run } = serviceWith(dead);
    const told: string[] = [];
    const outcome = await replayInSteps(run, { endpoint: "e", ...fields }, (line) => told.push(line));
    return { outcome, told, limits: calls.map(({ limit }) => limit) };
  };

  it("prints progress after each call and returns the total", async () => {
    expect(await replay(4_500)).toEqual({
      outcome: { ok: true, result: { matched: 4_500, replayed: 4_500 } },
      told: [2_000, 4_000, 4_500].map((sent) => `${sent} of 4500 are being sent again`),
      limits: [2_000, 2_000, 500],
    });
  });

  it("makes one call for a dry run or a limit", async () => {
    expect(await replay(0)).toMatchObject({ outcome: { result: { matched: 0, replayed: 0 } }, told: [] });
    const counted = await replay(4_500, { dry_run: "true" });
    expect(counted).toMatchObject({ outcome: { result: { matched: 4_500, replayed: 0 } }, told: [] });
    const limited = await replay(4_500, { limit: "3000" });
    expect(limited).toMatchObject({ outcome: { result: { replayed: 3_000 } }, limits: ["3000"] });
  });

  it("returns the error of a failed call", async () => {
    const refused = { ok: false, message: "There is no webhook endpoint e", hint: null } as const;
    expect(
      await replayInSteps(
        async () => refused,
        { endpoint: "e" },
        () => {},
      ),
    ).toEqual(refused);
  });
});

describe("an operation in steps", () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });
  const newFolder = () => {
    const parent = mkdtempSync(join(tmpdir(), "export-"));
    folders.push(parent);
    return new ExportFolder(join(parent, "out"));
  };
  /** A service that returns these steps in order. Each call must pass the previous step's `next`. */
  const serviceOf = (...steps: object[]) => {
    const calls: Record<string, unknown>[] = [];
    const run = async (_: string, fields: Record<string, unknown>) => {
      calls.push(fields);
      return { ok: true as const, result: steps[calls.length - 1] ?? {} };
    };
    return { calls, connection: { run, close: async () => {} } };
  };
  const stderr = () => vi.spyOn(process.stderr, "write").mockImplementation(() => true);

  it("follows next and adds up the numbers, and prints progress on stderr", async () => {
    const told = stderr();
    const { calls, connection } = serviceOf(
      { id: "x", rows: 3, next: "b" },
      { id: "x", rows: 4, next: null },
    );
    const outcome = await runSteps(connection, "erase-organization", { confirm: "x" }, undefined);
    expect(outcome).toEqual({ ok: true, result: { id: "x", rows: 7 } });
    expect(calls).toEqual([{ confirm: "x" }, { confirm: "x", position: "b" }]);
    expect(told.mock.calls).toEqual([["3 rows so far (erase-organization)\n"]]);
  });

  it("does not follow next in any other operation's result", async () => {
    const { calls, connection } = serviceOf({ id: "x", rows: 3 });
    const outcome = await runSteps(connection, "create-client", {}, undefined);
    expect([outcome, calls]).toEqual([{ ok: true, result: { id: "x", rows: 3 } }, [{}]]);
    const page = { files: [{ name: "2026-01-31/pages", bytes: 2 }], next: "2026-01-31/pages" };
    const { connection: listing } = serviceOf(page);
    expect(await runSteps(listing, "list-backup-files", {}, undefined)).toEqual({ ok: true, result: page });
  });

  it("appends each part to its file, in a folder that only the owner can read", async () => {
    const told = stderr();
    const { connection } = serviceOf(
      { files: [{ file: "clients.jsonl", text: "1\n", base64: null }], rows: 1, next: "b" },
      { files: [{ file: "clients.jsonl", text: "2\n", base64: null }], rows: 1, next: "c" },
      { files: [{ file: "projects.jsonl", text: "", base64: null }], rows: 0, next: "d" },
      { files: [{ file: "images/a/b.png", text: null, base64: btoa("PN") }], images: 0, next: "e" },
      { files: [{ file: "images/a/b.png", text: null, base64: btoa("G") }], images: 1, next: null },
    );
    const folder = newFolder();
    expect(await folder.isFree()).toBe(true);
    expect(await runSteps(connection, "export-organization", {}, folder)).toEqual({
      ok: true,
      result: { rows: 2, images: 1, out: folder.path, tables: 2, bytes: 7 },
    });
    expect(told.mock.calls.flat()).toEqual([
      "1 row so far (clients.jsonl)\n",
      "2 rows, 1 image so far (images)\n",
    ]);
    const read = (file: string) => readFileSync(join(folder.path, file), "utf8");
    expect([read("clients.jsonl"), read("projects.jsonl"), read("images/a/b.png")]).toEqual([
      "1\n2\n",
      "",
      "PNG",
    ]);
    expect(statSync(folder.path).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder.path, "clients.jsonl")).mode & 0o777).toBe(0o600);
    expect(await folder.isFree()).toBe(false);
  });

  it("continues where it was killed, but only with the same command [X4]", async () => {
    stderr();
    const steps = [
      { files: [{ file: "clients.jsonl", text: "1\n" }], rows: 1, next: "b" },
      { files: [{ file: "clients.jsonl", text: "2\n" }], rows: 1, next: "c" },
      { files: [{ file: "images/a.png", base64: btoa("PN") }], images: 0, next: "d" },
      {
        files: [
          { file: "images/a.png", base64: btoa("G") },
          { file: "images/b.png", base64: btoa("B") },
        ],
      },
      { files: [], images: 2, next: null },
    ].map((step, index) => ({ next: "abcde"[index + 1], ...step }));
    const asked: unknown[] = [];
    /** Crashes after writing a step but before storing the next position. */
    const dyingAt = (last: number) => {
      const run = async (_: string, { position = "a" }: Record<string, unknown>) => {
        asked.push(position);
        const index = "abcde".indexOf(String(position));
        return { ok: true as const, result: steps[index] as object };
      };
      const folder = new ExportFolder(out);
      const write = folder.write.bind(folder);
      folder.write = async (file, part) => {
        await write(file, part);
        if (asked.length > last) throw new Error("killed");
      };
      return runSteps({ run, close: async () => {} }, "export-organization", { operator: "kim" }, folder);
    };
    const { path: out } = newFolder();
    for (const last of [1, 2, 4, 5]) await expect(dyingAt(last)).rejects.toThrow("killed");
    const other = await runSteps(serviceOf().connection, "export-backup", {}, new ExportFolder(out));
    expect(other).toMatchObject({ ok: false, message: `another export is under way in ${out}` });
    expect(await dyingAt(99)).toEqual({
      ok: true,
      result: { rows: 2, images: 2, out, tables: 1, bytes: 8 },
    });
    expect(asked.slice(0, 3)).toEqual(["a", "b", "b"]);
    const read = (file: string) => readFileSync(join(out, file), "utf8");
    expect([read("clients.jsonl"), read("images/a.png"), read("images/b.png")]).toEqual([
      "1\n2\n",
      "PNG",
      "B",
    ]);
    expect(readdirSync(out).sort()).toEqual(["clients.jsonl", "images"]);
    expect(await new ExportFolder(out).isFree()).toBe(false);
  });

  it("creates the folder and its parents with the first part", async () => {
    stderr();
    const folder = new ExportFolder(join(newFolder().path, "a", "b"));
    expect(await folder.isFree()).toBe(true);
    const refused = { ok: false, message: "There is no organization x", hint: null } as const;
    const refusing = { run: async () => refused, close: async () => {} };
    expect(await runSteps(refusing, "export-organization", {}, folder)).toEqual(refused);
    expect(existsSync(dirname(dirname(folder.path)))).toBe(false);
    const { connection } = serviceOf({ files: [{ file: "a", text: "1" }], rows: 1, next: null });
    await runSteps(connection, "export-organization", {}, folder);
    expect(statSync(dirname(folder.path)).mode & 0o777).toBe(0o700);
  });

  it("writes only inside the folder", async () => {
    stderr();
    for (const file of ["../x", "../outside"]) {
      const outside = serviceOf({ files: [{ file, text: "1" }], next: null }).connection;
      const exported = runSteps(outside, "export-organization", {}, newFolder());
      await expect(exported).rejects.toThrow("not in the folder");
    }
    const { connection } = serviceOf({ files: [{ file: "a", text: "1" }], next: null });
    expect(await runSteps(connection, "export-organization", {}, undefined)).toMatchObject({
      message: "out is required: a folder that is empty or does not exist yet",
    });
  });
});
