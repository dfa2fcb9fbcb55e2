import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { getTableName } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { readCommand } from "../../scripts/admin/parameters.ts";
import { claimLimits, limits } from "../../src/contract/limits.ts";
import { reviewLimits } from "../../src/contract/review-limits.ts";
import { sessionLimits } from "../../src/contract/session-limits.ts";
import { webhookLimits } from "../../src/contract/webhook-limits.ts";
import { tables as allTables } from "../../src/database.ts";
import { fromText } from "../../src/operations/from-text.ts";
import { operations } from "../../src/operations/operations.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (...path: string[]) => readFileSync(join(root, ...path), "utf8");

const guides = ["operations.md", "admin-commands.md", "runbooks.md"];
const text = guides.map((guide) => read("docs", guide)).join("\n");

const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);

const anyId = "0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10";

/** The documented commands, with variables replaced by an id. */
const examples = [
  ...text.matchAll(/^ *(?:[A-Z_]+=\$\()?npm run (?:-s )?admin -- ([a-z][^|;#\n]*?) *(?:[|;#].*)?$/gm),
].map(([, line = ""]) =>
  line.replaceAll(/\$[A-Z_]+(?=\/)/g, "https://api.example.com").replaceAll(/\$[A-Z_]+/g, anyId),
);

const retention = read("docs", "retention.md");

describe("docs/retention.md", () => {
  it("names every table in the database", () => {
    const tables = allTables.map((table) => getTableName(table));
    expect(tables.filter((name) => !retention.includes(`\`${name}\``))).toEqual([]);
  });

  it("states the current limits", () => {
    const figures = [
      `links after ${reviewLimits.mailedKeyDays} days`,
      `confirmed codes after ${reviewLimits.codeKeyHours} hours`,
      `after ${reviewLimits.codeMinutes} minutes`,
      `after ${webhookLimits.keptDays} days`,
      `first ${webhookLimits.answerKeptBytes / 1024} KiB`,
      `response after ${claimLimits.answerDays} days`,
      `secrets after ${limits.doubleSubmitSeconds} seconds`,
      `after ${sessionLimits.linkMinutes} minutes`,
      `${sessionLimits.idleHours} hours after their last use`,
    ];
    expect(figures.filter((figure) => !retention.includes(figure))).toEqual([]);
  });
});

describe("the operator guides", () => {
  it("show every operation [O5]", () => {
    const shown = new Set(examples.map((line) => line.split(" ")[0]));
    expect(Object.keys(operations).filter((name) => !shown.has(name))).toEqual([]);
  });

  it("create every resource that production binds", () => {
    const bound = read("wrangler.toml")
      .matchAll(/^(?:database_name|bucket_name|queue) = "(.+-production)"$/gm)
      .map(([, name]) => name);
    const made = text
      .matchAll(/wrangler (?:d1|r2 bucket|queues) create (\S+-production)\s/g)
      .map(([, name]) => name);
    expect(new Set(made)).toEqual(new Set(bound));
  });

  it("write only files that git ignores", () => {
    const written = [...text.matchAll(/(?: > |--out(?:put)? )([\w./-]+)/g)].map(([, path = ""]) => path);
    expect(written.map((path) => path.replace(/-\d.*/, "")).toSorted()).toEqual([
      ...["private/backup", "private/lumen", "private/lumen-copy", "private/night"],
      ...["private/production-secrets.json", "private/stripe-endpoint.json"],
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

  it("use only variables that an earlier command has set, and no literal ids", () => {
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

  describe("a runbook", () => {
    const sections = read("docs", "runbooks.md").split(/^## /m).slice(1);

    it.each(sections.map((section) => [section.split("\n", 1)[0], section]))(
      "%s begins with the alert or symptom and ends with the resolution",
      (_, section = "") => {
        expect(section).toMatch(/^.*\n\n(?:Alert|Symptom): /);
        expect(section).toMatch(/Resolved when\s/);
      },
    );

    it("exists for every alert rule", () => {
      const alerts = sections.map((section) => /^Alert: [\s\S]*?\n\n/m.exec(section)?.[0]).join();
      const names = text.matchAll(/^-- (\w+)(?::.*)?\nSELECT /gm).map(([, name]) => name);
      expect([...names].filter((name) => !alerts.includes(`\`${name}\``))).toEqual([]);
    });
  });

  describe("alert rules", () => {
    const rules = [...text.matchAll(/^-- (\w+)(?::.*)?\n(SELECT [^;]*;)$/gm)].map(
      ([, name = "", sql = ""]) => [name, sql] as const,
    );
    const request = { method: "GET", route: "/api-v1/clients", status: 200, duration_ms: 20 };
    const minute = {
      ...{
        due: 0,
        oldest_due_age_seconds: null,
        dead: 0,
        notices_due: 0,
        dead_send_records: 0,
        dead_email_events: 0,
        mail_events_silent: 0,
        unmatched: 0,
      },
      ...{ imports: 0, backup_age_seconds: 86_000, database_bytes: 1e9, unread: "[]" },
    };
    const failure = { failed: "send digests", cron_run_id: "run" };

    function foundBy(sql: string, changed: object = {}, count = 5): unknown[] {
      const database = new DatabaseSync(":memory:");
      const fill = (table: string, row: object, rows: number) => {
        database.exec(`CREATE TABLE ${table} (${Object.keys(row).join(", ")})`);
        const places = Object.keys(row).map(() => "?");
        const insert = database.prepare(`INSERT INTO ${table} VALUES (${places.join(", ")})`);
        for (let number = 0; number < rows; number += 1) insert.run(...Object.values(row));
      };
      const changedRow = (row: object) => Object.keys(changed).some((name) => name in row);
      for (const [table, row, usual] of [
        ["requests", request, 1_000],
        ["minutes", minute, 5],
        ["failures", failure, 1],
      ] as const)
        fill(table, { ...row, ...(changedRow(row) && changed) }, changedRow(row) ? count : usual);
      return database.prepare(sql).all();
    }

    const bad: Record<string, [changed: object, count?: number]> = {
      requests_fail: [{ status: 503 }],
      reads_slow: [{ duration_ms: 300 }],
      writes_slow: [{ method: "POST", duration_ms: 600 }],
      deliveries_late: [{ due: 1, oldest_due_age_seconds: 10 }],
      receivers_refuse: [{ dead: 20 }],
      mails_wait: [{ notices_due: 50 }],
      mails_unrecorded: [{ dead_send_records: 1 }],
      reports_unrecorded: [{ dead_email_events: 1 }],
      reports_silent: [{ mail_events_silent: 1 }],
      money_unmatched: [{ unmatched: 1 }],
      import_open: [{ imports: 1 }],
      backup_old: [{ backup_age_seconds: 100_000 }],
      database_full: [{ database_bytes: 7e9 }],
      minute_silent: [{ dead: 0 }, 2],
      figures_unread: [{ unread: '["unmatched"]' }],
      job_failed: [{ failed: "send digests" }, 3],
    };

    it("are all tested here", () => {
      expect(rules.map(([name]) => name)).toEqual(Object.keys(bad));
    });

    it.each(rules)("%s detects its problem, and nothing in five healthy minutes [O17]", (name, sql) => {
      expect(foundBy(sql)).toEqual([]);
      const [changed, count] = bad[name] ?? [];
      expect(foundBy(sql, changed, count)).toHaveLength(1);
    });

    const ofMinutes = rules.filter(([, sql]) => sql.includes("FROM minutes") && !sql.includes("unread"));

    it.each(ofMinutes)("%s fires on a missing cron run and on a null figure [O17]", (name, sql) => {
      expect(foundBy(sql, { due: 0 }, 0)).toHaveLength(1);
      const [changed = {}] = bad[name] ?? [];
      const unread = Object.fromEntries(Object.keys(changed).map((figure) => [figure, null]));
      if (name !== "minute_silent") expect(foundBy(sql, unread)).toHaveLength(1);
    });
  });

  it.each(examples)("the example %s is a valid call", (line) => {
    const command = readCommand(wordsOf(line));
    if (typeof command === "string") throw new Error(command);
    const operation = operations[command.operation ?? ""];
    const { organization: _, actor: __, key: ___, ...fields } = command.fields;
    const judged: z.ZodSafeParseResult<unknown> | undefined = operation?.input.safeParse(
      fromText(operation.input, fields),
    );
    expect(judged?.error?.issues ?? []).toEqual([]);
    expect(operation).toBeDefined();
  });
});
