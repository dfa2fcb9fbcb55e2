import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getTableName } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { readCommand } from "../../scripts/admin/parameters.ts";
import { claimLimits } from "../../src/contract/limits.ts";
import { reviewLimits } from "../../src/contract/review-limits.ts";
import { sessionLimits } from "../../src/contract/session-limits.ts";
import { webhookLimits } from "../../src/contract/webhook-limits.ts";
import { tables as allTables } from "../../src/database.ts";
import { fromText } from "../../src/operations/from-text.ts";
import { operations } from "../../src/operations/operations.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (...path: string[]) => readFileSync(join(root, ...path), "utf8");

const text = read("docs", "operations.md");

/** The words of a shell line, without the quotes around them. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);

const anyId = "0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10";

/** The commands, with an id in the place of each variable. */
const examples = [
  ...text.matchAll(/^ *(?:[A-Z_]+=\$\()?npm run (?:-s )?admin -- ([a-z][^|;#\n]*?) *(?:[|;#].*)?$/gm),
].map(([, line = ""]) =>
  line.replaceAll(/\$[A-Z_]+(?=\/)/g, "https://api.example.com").replaceAll(/\$[A-Z_]+/g, anyId),
);

const retention = read("docs", "retention.md");

describe("docs/retention.md", () => {
  it("names every table of the database", () => {
    const tables = allTables.map((table) => getTableName(table));
    expect(tables.filter((name) => !retention.includes(`\`${name}\``))).toEqual([]);
  });

  it("tells the figures of the limits", () => {
    const figures = [
      `links after ${reviewLimits.mailedKeyDays} days`,
      `confirmed codes after ${reviewLimits.codeKeyHours} hours`,
      `after ${reviewLimits.codeMinutes} minutes`,
      `after ${webhookLimits.keptDays} days`,
      `first ${webhookLimits.answerKeptBytes / 1024} KiB`,
      `answer after ${claimLimits.answerDays} days`,
      `secret after ${claimLimits.secretMinutes} minutes`,
      `after ${sessionLimits.linkMinutes} minutes`,
      `${sessionLimits.idleHours} hours after their last use`,
    ];
    expect(figures.filter((figure) => !retention.includes(figure))).toEqual([]);
  });
});

describe("docs/operations.md", () => {
  it("shows every operation [O5]", () => {
    const shown = new Set(examples.map((line) => line.split(" ")[0]));
    expect(Object.keys(operations).filter((name) => !shown.has(name))).toEqual([]);
  });

  it("makes everything that production binds by its name", () => {
    const bound = read("wrangler.toml")
      .matchAll(/^(?:database_name|bucket_name|queue) = "(.+-production)"$/gm)
      .map(([, name]) => name);
    const made = text.matchAll(/wrangler (?:d1|r2 bucket|queues) create (\S+)/g).map(([, name]) => name);
    expect(new Set(made)).toEqual(new Set(bound));
  });

  it("writes nothing that git does not ignore", () => {
    const written = [...text.matchAll(/(?: > |--out(?:put)? )([\w./-]+)/g)].map(([, path = ""]) => path);
    expect(written.map((path) => path.replace(/-\d.*/, ""))).toEqual([
      ...["private/production-secrets.json", "private/partner-api", "private/lumen"],
      "private/lumen-copy",
      "private/stripe-endpoint.json",
    ]);
    const git = mkdtempSync(join(tmpdir(), "git-"));
    const inGit = (...parameters: string[]) =>
      spawnSync("git", ["--git-dir", git, "--work-tree", root, ...parameters], {
        cwd: root,
        encoding: "utf8",
      });
    inGit("init", "--quiet");
    const asked = [...written, ".env", ".env.production", ".dev.vars.production", "wrangler.toml"];
    const { stdout } = inGit("check-ignore", "--no-index", ...asked);
    rmSync(git, { recursive: true });
    expect(stdout.trim().split("\n")).toEqual(asked.slice(0, -1));
  });

  it("takes each id from a command before", () => {
    const known = new Set(["STRIPE_KEY"]);
    for (const line of text
      .matchAll(/^```sh\n([\s\S]*?)^```/gm)
      .flatMap(([, block = ""]) => block.split("\n"))) {
      const [, set = ""] = /^(?:read .* )?([A-Z_]+)(?:=|$)/.exec(line) ?? [];
      const used = [...line.matchAll(/\$([A-Z_]+)/g)].map(([, name = ""]) => name);
      expect(used.filter((name) => !known.has(name))).toEqual([]);
      if (set) known.add(set);
      if (line.startsWith("eval ")) for (const name of ["URL", "KEY", "TOKEN"]) known.add(name);
    }
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/);
  });

  it.each(examples)("%s", (line) => {
    const command = readCommand(wordsOf(line));
    if (typeof command === "string") throw new Error(command);
    const operation = operations[command.operation ?? ""];
    const { organization: _, actor: __, ...fields } = command.fields;
    const judged: z.ZodSafeParseResult<unknown> | undefined = operation?.input.safeParse(
      fromText(operation.input, fields),
    );
    expect(judged?.error?.issues ?? []).toEqual([]);
    expect(operation).toBeDefined();
  });
});
