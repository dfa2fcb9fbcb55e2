/// <reference types="vite/client" />
import { describe, expect, it } from "vitest";
import receivers from "../../docs/webhooks.md?raw";
import { limits } from "../../src/contract/limits.ts";
import { reviewLimits } from "../../src/contract/review-limits.ts";
import { webhookLimits } from "../../src/contract/webhook-limits.ts";
import {
  type FilledWorkspace,
  lineItem,
  makeFilledWorkspace,
  sql,
  update,
  type Values,
} from "../support/filled-workspace.ts";

const sources = import.meta.glob<string>(
  ["../../src/*/*/{guards,events}.ts", "../../src/payments/guards.ts", "../../src/db/table-rules.ts"],
  {
    query: "?raw",
    import: "default",
    eager: true,
  },
);

/** Matches a comparison with a numeric literal greater than 1. */
const ownNumber = /[<>=] *([2-9]|\d\d)/;

describe("the limits in the database", () => {
  it("match the source in each CHECK on a range", async () => {
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
      "feedback.anchor_x": reviewLimits.anchorShare,
      "feedback.anchor_y": reviewLimits.anchorShare,
    });
    for (const table of tables) expect(table.sql.replaceAll(">>", ""), table.name).not.toMatch(ownNumber);
  });

  it("match the source in every trigger, because trigger sources contain no hard-coded numbers", () => {
    for (const [path, text] of Object.entries(sources))
      expect(text.replaceAll(">>", ""), path).not.toMatch(ownNumber);
  });

  it("match the source in the circuit breaker", async () => {
    const [breaker] = await sql("SELECT sql FROM sqlite_master WHERE name = 'webhook_endpoints_break'");
    expect(breaker?.sql).toContain(`consecutive_dead >= ${webhookLimits.deadDeliveriesToDisable} `);
  });
});

describe("a table rejects", () => {
  const event = (values: Values) => (here: FilledWorkspace) =>
    here.own("processor_events", {
      type: "payment_intent.succeeded",
      kind: "payment",
      outcome: "payment",
      occurred_at: "2026-01-31T09:30:00.000Z",
      ...values,
    });
  const plan = (column: string, value: number) => () =>
    sql(
      `INSERT INTO plans (name, api_access, requests_per_minute${column === "requests_per_minute" ? "" : `, ${column}`})
        VALUES (?, 1, ?${column === "requests_per_minute" ? "" : ", ?"})`,
      ...[crypto.randomUUID(), ...(column === "requests_per_minute" ? [] : [60]), value],
    );
  const refused: [string, (here: FilledWorkspace) => Promise<unknown>][] = [
    [
      "an invoice with a total that differs from the sum of its parts",
      (here) => here.draft(100, { tax_total_minor: 1 }),
    ],
    ["a negative invoice", (here) => here.draft(-1)],
    [
      "a line item with a quantity of 0",
      async (here) =>
        here.own("invoice_line_items", lineItem(await here.draft(1), { position: 1, quantity: 0 })),
    ],
    ["a payment of 0", async (here) => here.pay(await here.openInvoice(1), 0)],
    ["a deposit of 0", (here) => here.deposit({ amount_minor: 0 })],
    [
      "a project that ends before it starts",
      (here) => here.project({ start_date: "2026-02-01", end_date: "2026-01-31" }),
    ],
    [
      "an image of negative size",
      (here) =>
        sql(
          "INSERT INTO stored_images (path, organization_id, bytes) VALUES ('x', ?, -1)",
          here.organizationId,
        ),
    ],
    ["an unmatched event without a reason", event({ outcome: "unmatched" })],
    ["an unmatched reason on a matched event", event({ unmatched_reason: "not_found" })],
    ["a negative amount", event({ amount_minor: -1 })],
    ["a matched amount of 0", event({ matched_amount_minor: 0 })],
    [
      "a return path outside the settings",
      () =>
        sql(
          `INSERT INTO sign_in_links (token_hash, email, expires_at, return_path)
            VALUES ('x', 'x@example.com', '2020-01-01T00:00:00.000Z', 'https://phish.example/settings/')`,
        ),
    ],
    ["features that are not JSON", (here) => update("organizations", here.organizationId, { features: "x" })],
    ["subscriptions that are not JSON", (here) => here.endpoint(null, { events: "x" })],
    [
      "an event that is not JSON",
      (here) => here.own("events", { event: "invoice.sent", subject_id: "x", payload: "x" }),
    ],
    ["details that are not JSON", (here) => here.own("audit_log", { actor: "x", action: "x", details: "x" })],
    ["version 0", async (here) => here.version(await here.deliverable(), 0)],
    ["a plan with a rate limit of 0", plan("requests_per_minute", 0)],
    ["a plan with a negative e-mail limit", plan("mails_per_day", -1)],
    ["a plan with a negative storage limit", plan("storage_mb", -1)],
    ["a plan with a negative record cap", plan("records_cap", -1)],
    ["a plan with a negative deliverable cap", plan("deliverable_cap", -1)],
  ];
  it.each(refused)("%s", async (_, write) => {
    await expect(write(await makeFilledWorkspace())).rejects.toThrow(
      /CHECK constraint failed|version_conflict|reversal_sign_wrong|reason_only_if_unmatched/,
    );
  });

  it.each<[string, (here: FilledWorkspace) => Promise<unknown>]>([
    [
      "two invoices with the same number",
      async (here) => {
        await here.openInvoice(1);
        await update("organizations", here.organizationId, { next_invoice_number: 1 });
        await here.openInvoice(1);
      },
    ],
    [
      "two milestones at the same position",
      async (here) => {
        const milestone = { project_id: here.projectId, name: "Start", position: 0 };
        for (const _ of [1, 2]) await here.own("milestones", milestone);
      },
    ],
    [
      "two line items at the same position",
      async (here) => here.own("invoice_line_items", lineItem(await here.draft(1))),
    ],
    [
      "two reviews with the same link token",
      async (here) => {
        const share_url = `https://app.example.com/review/${crypto.randomUUID()}`;
        await here.deliverable({ share_url });
        await here.deliverable({ share_url: share_url.replace("app.", "other.") });
      },
    ],
  ])("%s", async (_, write) => {
    await expect(write(await makeFilledWorkspace())).rejects.toThrow("UNIQUE constraint failed");
  });
});

describe("docs/webhooks.md states", () => {
  const { attemptDeadlineMs, deadDeliveriesToDisable, keptDays, secretOverlapHours } = webhookLimits;
  it.each([
    [
      "the longest Retry-After",
      `at least that long, up to ${webhookLimits.retryAfterMaxSeconds / 3600} hours`,
    ],
    ["the deadline", `within ${attemptDeadlineMs / 1000} seconds`],
    ["the circuit breaker", `After ${deadDeliveriesToDisable}, we disable the endpoint`],
    ["the overlap of two secrets", `For the next ${secretOverlapHours} hours (\`--overlap-hours\`)`],
    ["the retention of deliveries", `replay a delivery from the last ${keptDays} days`],
    [
      "the stored length of a response",
      `the first ${webhookLimits.answerKeptBytes / 1024} KiB of your response`,
    ],
  ])("%s", (_, text) => {
    expect(receivers).toContain(text);
  });
});
