/// <reference types="vite/client" />
import { describe, expect, it } from "vitest";
import receivers from "../../docs/webhooks.md?raw";
import { retryDelays } from "../../scripts/openapi/retry-delays.ts";
import { limits } from "../../src/contract/limits.ts";
import { webhookLimits } from "../../src/contract/webhook-limits.ts";
import { sql } from "./workspace.ts";

const sources = import.meta.glob<string>(["../../src/db/triggers/*.sql", "../../src/contract/events/*.sql"], {
  query: "?raw",
  import: "default",
  eager: true,
});

/** A comparison with a number of more than 1. */
const ownNumber = /[<>=] *([2-9]|\d\d)/;

describe("the numbers of the database are those of the limits", () => {
  it("in every range that a table checks", async () => {
    const tables = await sql<{ name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table'",
    );
    const ranges = tables.flatMap((table) =>
      [...table.sql.matchAll(/CHECK \((\w+) BETWEEN (\S+) AND (\S+)\)/g)].map(
        ([, column, min, max]) =>
          [`${table.name}.${column}`, { min: Number(min), max: Number(max) }] as const,
      ),
    );
    expect(Object.fromEntries(ranges)).toEqual({
      "projects.included_revision_rounds": limits.revisionRounds,
      "revision_overrides.rounds": limits.overrideRounds,
      "time_entries.hours": { min: 0, max: limits.entryHours.max },
      "invoice_line_items.tax_rate": limits.taxRatePercent,
    });
    for (const table of tables) expect(table.sql.replaceAll(">>", ""), table.name).not.toMatch(ownNumber);
  });

  it("in every trigger: a source compares with no number of its own", () => {
    for (const [path, text] of Object.entries(sources))
      expect(text.replaceAll(">>", ""), path).not.toMatch(ownNumber);
  });

  it("in the circuit breaker", async () => {
    const [breaker] = await sql("SELECT sql FROM sqlite_master WHERE name = 'webhook_endpoints_break'");
    expect(breaker?.sql).toContain(`consecutive_dead >= ${webhookLimits.deadDeliveriesToDisable} `);
  });
});

describe("docs/webhooks.md states", () => {
  const { attemptDeadlineMs, deadDeliveriesToDisable, keptDays, secretOverlapHours } = webhookLimits;
  it.each([
    ["the retry schedule", `try again: after up to ${retryDelays.join(", ")} |`],
    ["the number of attempts", "Eight attempts in all, over about 31 hours"],
    ["the longest Retry-After", `${webhookLimits.retryAfterMaxSeconds / 3600} hours at most`],
    ["the deadline", `within ${attemptDeadlineMs / 1000} seconds`],
    ["the circuit breaker", `${deadDeliveriesToDisable} deliveries in a row given up`],
    ["the overlap of secrets", `for ${secretOverlapHours} hours (\`--overlap-hours\`)`],
    ["how long deliveries are kept", `Deliveries are kept for ${keptDays} days`],
    ["how much of an answer is kept", `the first ${webhookLimits.answerKeptBytes / 1024} KiB of your answer`],
  ])("%s", (_, text) => {
    expect(receivers).toContain(text);
  });

  it("eight attempts and 31 hours are the schedule's", () => {
    const seconds = webhookLimits.retryDelaysSeconds.reduce((sum, delay) => sum + delay, 0);
    expect([webhookLimits.retryDelaysSeconds.length + 1, Math.round(seconds / 3600)]).toEqual([8, 31]);
  });
});
