import { beforeEach, describe, expect, it } from "vitest";
import { admin } from "../support/admin.ts";
import { sql, update } from "../support/filled-workspace.ts";
import { alertOf } from "../support/reviewer.ts";
import { insertEndpoint, ownerAtHome, SettingsBrowser } from "../support/settings.ts";
import { insertDeliveries } from "../support/webhooks.ts";
import { tableRows, wordsOf } from "../support/words.ts";
import { makeWorkspace } from "../support/workspace.ts";

/** The settings offer only actions that would succeed, and name the record they affect. */

let { here, browser, base } = {} as Awaited<ReturnType<typeof ownerAtHome>>;
beforeEach(async () => {
  ({ here, browser, base } = await ownerAtHome());
});

const endpoint = (values: Record<string, string | number> = {}) => insertEndpoint(here, values);

describe("a replay of many deliveries", () => {
  const offersReplay = async (address: string) =>
    (await browser.read(base + address)).includes("Replay deliveries</a>");

  it("is offered while the endpoint is enabled", async () => {
    const id = await endpoint();
    for (const address of [`/webhooks/${id}`, `/deliveries?endpoint=${id}`])
      expect([address, await offersReplay(address)]).toEqual([address, true]);
    await update("webhook_endpoints", id, { enabled: 0 });
    for (const address of [`/webhooks/${id}`, `/deliveries?endpoint=${id}`])
      expect([address, await offersReplay(address)]).toEqual([address, false]);
    expect(await browser.read(`${base}/webhooks/${id}`)).toContain("Enable</button>");
  });

  it("is rejected for a disabled endpoint, with a link to enable it", async () => {
    const id = await endpoint({ enabled: 0 });
    await insertDeliveries(here, id, 3, "dead");
    for (const answer of [
      await browser.fetch(`${base}/deliveries/replay?endpoint=${id}`),
      await browser.post(`${base}/deliveries/replay`, { endpoint: id }),
    ]) {
      const page = await answer.text();
      expect([answer.status, alertOf(page)]).toEqual([400, "This endpoint is disabled (enable it first)"]);
      expect(page).toMatch(new RegExp(`href="${base}/webhooks/${id}"><svg.*?</svg>Go back</a>`, "s"));
    }
  });

  it("is rejected for a deleted endpoint, with a link to its deliveries", async () => {
    const id = await endpoint({ deleted_at: "2026-01-31T09:30:00.000Z" });
    expect(await offersReplay(`/deliveries?endpoint=${id}`)).toBe(false);
    for (const answer of [
      await browser.fetch(`${base}/deliveries/replay?endpoint=${id}`),
      await browser.post(`${base}/deliveries/replay`, { endpoint: id }),
    ]) {
      expect(answer.status).toBe(404);
      expect(await answer.text()).toMatch(
        new RegExp(`href="${base}/deliveries"><svg.*?</svg>Go back</a>`, "s"),
      );
    }
  });

  it.each([
    ["since=2026-01-31T12:00", true],
    ["status=dead", true],
    ["status=delivered", false],
    ["event=invoice.paid", false],
    [`subject_id=${crypto.randomUUID()}`, false],
  ])("is offered only for filters that a replay supports: %s", async (search, isOffered) => {
    const id = await endpoint();
    expect(await offersReplay(`/deliveries?endpoint=${id}&${search}`)).toBe(isOffered);
  });
});

describe("a confirmation page", () => {
  it.each([
    "webhooks/:id/disable",
    "webhooks/:id/rotate",
    "webhooks/:id/delete",
    "deliveries/replay?endpoint=:id",
  ])("shows the endpoint's full URL and description: %s", async (path) => {
    const url = "https://hooks.example/books?of=2026";
    const id = await endpoint({ url, description: "Books <2026>" });
    const asked = await browser.read(`${base}/${path.replace(":id", id)}`);
    expect(asked).toContain(`<strong><bdi>${url}</bdi></strong> · <bdi>Books &lt;2026&gt;</bdi>`);
  });
});

describe("the delivery list", () => {
  const [one, two] = ["https://hooks.example/one", "https://hooks.example/two"];
  const headsOf = (page: string) =>
    [...page.matchAll(/<th scope="col"[^>]*>([^<]+)</g)].map(([, head]) => head);

  it("shows each delivery's endpoint if there are several", async () => {
    await insertDeliveries(here, await endpoint({ url: one }), 1);
    expect(headsOf(await browser.read(`${base}/deliveries`))).not.toContain("Endpoint");
    const deleted = await endpoint({ url: two, deleted_at: "2026-01-31T09:30:00.000Z" });
    expect(headsOf(await browser.read(`${base}/deliveries`))).not.toContain("Endpoint");
    await insertDeliveries(here, deleted, 1);
    const page = await browser.read(`${base}/deliveries`);
    expect(headsOf(page)).toContain("Endpoint");
    expect(tableRows(page).map((row) => row[2])).toEqual(["hooks.example/two deleted", "hooks.example/one"]);
  });

  it("shows the endpoint by which it is filtered", async () => {
    const id = await endpoint({ url: one });
    await endpoint({ url: two });
    await insertDeliveries(here, id, 1);
    const [delivery] = await sql("SELECT id FROM webhook_deliveries WHERE endpoint_id = ?", id);
    const page = await browser.read(
      `${base}/deliveries?endpoint=${id.toUpperCase()}&status=delivered&cursor=${delivery?.id}`,
    );
    expect(page).toContain(`<option value="${id}" selected="">hooks.example/one</option>`);
    expect(page).toContain(`<a href="${base}/deliveries?endpoint=${id}&amp;status=dead">Gave up</a>`);
    const heads = headsOf(await browser.read(`${base}/deliveries?endpoint=${id}`));
    expect([heads.includes("Event"), heads.includes("Endpoint")]).toEqual([true, false]);
    await update("webhook_endpoints", id, { deleted_at: "2026-01-31T09:30:00.000Z" });
    expect(await browser.read(`${base}/deliveries?endpoint=${id}`)).toContain(
      `<option value="${id}" selected="">hooks.example/one (deleted)</option>`,
    );
  });
});

it("a delivery of a deleted endpoint has no link to the endpoint and no replay button", async () => {
  const id = await endpoint();
  await insertDeliveries(here, id, 1, "dead");
  const [delivery] = await sql("SELECT id FROM webhook_deliveries WHERE endpoint_id = ?", id);
  const path = `${base}/deliveries/${delivery?.id}`;
  const before = await browser.read(path);
  expect(before).toContain(`<a href="${base}/webhooks/${id}">https://`);
  expect(before).toContain("Replay</button>");
  await update("webhook_endpoints", id, { deleted_at: "2026-01-31T09:30:00.000Z" });
  const after = await browser.read(path);
  expect(wordsOf(after)).toContain("Endpoint It was deleted");
  expect(after).not.toMatch(/<a href="[^"]+\/webhooks\/|<button type="submit"/);
});

it("a revoked token's page shows the time of the revocation instead of a button", async () => {
  const [token] = await sql("SELECT id FROM api_tokens WHERE organization_id = ?", here.organizationId);
  const path = `${base}/tokens/${token?.id}/revoke`;
  expect(await browser.read(path)).toContain("Revoke</button>");
  await update("api_tokens", String(token?.id), { revoked_at: "2026-01-31T09:30:00.000Z" });
  const page = await browser.read(path);
  expect(page).toMatch(/was revoked on <time [^>]+>31 January 2026, 09:30 UTC<\/time>/);
  expect(page).not.toMatch(/<button type="submit"|The next request/);
});

describe("a plan without API access", () => {
  beforeEach(async () => {
    await update("organizations", here.organizationId, { plan: "free" });
  });
  const needsPlan = /(?:Tokens|Webhooks) require a paid plan.*\/plan">Compare plans<\/a>/s;

  it.each([
    ["tokens", "Create token"],
    ["webhooks", "Add endpoint"],
    ["deliveries", "Send a test"],
  ])("is explained instead of showing an unavailable button: %s", async (section, offer) => {
    const page = await browser.read(`${base}/${section}`);
    expect(page).toMatch(needsPlan);
    expect(page).not.toContain(offer);
    expect(page).not.toMatch(/No (?:tokens|endpoints|deliveries) yet/);
    await update("organizations", here.organizationId, { plan: "solo" });
    const paid = await browser.read(`${base}/${section}`);
    expect(paid).toContain(offer);
    expect(paid).not.toMatch(needsPlan);
  });

  it("still has the list of tokens, but no test or replay for endpoints", async () => {
    expect(await browser.read(`${base}/tokens`)).toContain("Revoke</a>");
    const page = await browser.read(`${base}/webhooks/${await endpoint()}`);
    expect(page).not.toMatch(/Send test|Replay deliveries/);
    expect(page).toContain("Nothing goes out on this plan");
  });

  it("has no limit for API requests", async () => {
    expect(await browser.read(`${base}/plan`)).not.toContain("All tokens together");
    await update("organizations", here.organizationId, { plan: "solo" });
    expect(await browser.read(`${base}/plan`)).toContain("All tokens together may make 60 requests a minute");
  });
});

it("workspaces with the same name are shown with their slugs", async () => {
  const there = await makeWorkspace();
  await admin(there, "set-member", { email: here.ownerEmail, role: "admin" });
  const page = await browser.read("/settings");
  for (const { organizationId } of [here, there])
    expect(page).toContain(`<bdi>Test studio</bdi> <small>org-${organizationId} · `);
});

describe("a URL with a trailing slash", () => {
  it.each(["", "/tokens", "/webhooks/x", "/deliveries?status=dead"])(
    "redirects to the URL without the slash: %s",
    async (page) => {
      const [path, search] = `${base}${page}`.split("?");
      const query = search ? `?${search}` : "";
      for (const visitor of [browser, new SettingsBrowser()]) {
        const { status, headers } = await visitor.fetch(`${path}/${query}`);
        expect([status, headers.get("location")]).toEqual([303, `${path}${query}`]);
      }
    },
  );

  it("redirects even with thousands of slashes", async () => {
    const { status, headers } = await browser.fetch(`/settings${"/".repeat(15_000)}`);
    expect([status, headers.get("location")]).toEqual([303, "/settings"]);
  });

  it("redirects to the list of workspaces", async () => {
    const { status, headers } = await browser.fetch("/settings/");
    expect([status, headers.get("location")]).toEqual([303, "/settings"]);
  });
});

it("only irreversible actions have a red button", async () => {
  const id = await endpoint();
  const [token] = await sql("SELECT id FROM api_tokens WHERE organization_id = ?", here.organizationId);
  const isDestructive = async (path: string) =>
    / class="button bad"/.test(await browser.read(`${base}/${path}`));
  for (const [path, expected] of [
    [`webhooks/${id}/delete`, true],
    [`webhooks/${id}/disable`, false],
    [`webhooks/${id}/rotate`, false],
    [`tokens/${token?.id}/revoke`, true],
    [`members/${here.ownerId}/remove`, true],
  ] as const)
    expect([path, await isDestructive(path)]).toEqual([path, expected]);
});

it("a new secret's page warns that it is shown once", async () => {
  const created = await browser.post(`${base}/tokens`, { name: "x", scopes: "client:read" });
  expect(await created.text()).toContain("For your safety we can&#39;t show it again.");
});
