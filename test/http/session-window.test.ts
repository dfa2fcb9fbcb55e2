import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sessionLimits } from "../../src/contract/session-limits.ts";
import { advanceClock, startClock, stopClock } from "../support/clock.ts";
import { coordinatorStub } from "../support/coordinator.ts";
import { call } from "../support/partner.ts";
import { alertOf } from "../support/reviewer.ts";
import { rowCounts } from "../support/rows.ts";
import { ownerAtHome } from "../support/settings.ts";
import type { Workspace } from "../support/workspace.ts";

beforeEach(() => stopClock());
afterEach(startClock);

async function leave(here: Workspace, places: number) {
  const coordinator = coordinatorStub(here);
  for (let taken = 0; taken < sessionLimits.callsPerMinute - places; taken += 1)
    await coordinator.countSessionCall();
}

it("RPC and the settings accept 240 calls per minute and workspace [N13]", async () => {
  const { here, browser, base } = await ownerAtHome();
  await leave(here, 2);
  expect((await browser.rpc("create_api_token", { name: "One" })).status).toBe(200);
  expect((await browser.fetch(`${base}/tokens`)).status).toBe(200);
  const before = await rowCounts(here);
  const { status, headers, body } = await browser.rpc("create_api_token", { name: "Two" });
  expect([status, headers.get("retry-after"), body]).toEqual([
    429,
    "50",
    {
      message: expect.stringContaining("at most 240 RPC and settings calls per minute"),
      hint: "wait 50 seconds",
    },
  ]);
  const form = await browser.post(`${base}/tokens`, { name: "Three", scopes: "client:read" });
  for (const page of [form, await browser.fetch(`${base}/tokens`), await browser.fetch("/settings")]) {
    expect([page.status, page.headers.get("retry-after")]).toEqual([429, "50"]);
    expect(alertOf(await page.text())).toContain("Too many calls");
  }
  expect(await rowCounts(here)).toEqual(before);
  advanceClock(50);
  expect((await browser.fetch(`${base}/tokens`)).status).toBe(200);
});

it("rejected calls count, even if they name none of the session's workspaces", async () => {
  const { here, browser } = await ownerAtHome();
  await leave(here, 3);
  const refused = [
    await browser.rpc("no_such_operation"),
    await browser.rpc("list_members", "{"),
    await browser.rpc("list_members", { organization: "another" }),
    await browser.rpc("list_members"),
  ];
  expect(refused.map(({ status }) => status)).toEqual([404, 400, 403, 429]);
});

it("the session limit does not affect the API or other workspaces", async () => {
  const { here, browser } = await ownerAtHome();
  await leave(here, 0);
  expect((await browser.rpc("list_members")).status).toBe(429);
  expect((await call(here, "/api-v1/clients")).status).toBe(200);
  const other = await ownerAtHome();
  expect((await other.browser.rpc("list_members")).status).toBe(200);
});

it("a call over the session limit makes one read and no write", async () => {
  const { here, browser } = await ownerAtHome();
  await leave(here, 0);
  const batch = vi.spyOn(env.DB, "batch");
  await browser.rpc("create_api_token", { name: "One" });
  expect(batch.mock.calls.map(([statements]) => statements.length)).toEqual([1]);
});
