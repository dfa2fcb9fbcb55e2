import { env, exports } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import contract from "../../docs/contract.md?raw";
import { scopeCatalogue } from "../../src/contract/scopes.ts";
import { admin } from "../support/admin.ts";
import { baseUrl, call } from "../support/partner.ts";
import { alertOf } from "../support/reviewer.ts";
import { ownerAtHome, SettingsBrowser, signedIn } from "../support/settings.ts";
import { settingsRoutes as routes, settingsPages } from "../support/settings-pages.ts";
import {
  arrived,
  deliveriesOf,
  insertDeliveries,
  recordEvents,
  register,
  settled,
} from "../support/webhooks.ts";
import { everyRowOf, idsIn, makeWholeWorkspace } from "../support/whole-workspace.ts";
import { wordsOf } from "../support/words.ts";
import { makeWorkspace } from "../support/workspace.ts";

const addressOf = (path: string, slug: string, id: string = crypto.randomUUID()) =>
  `/settings${path.replace(":slug", slug).replace(":id", id)}`;

let { here, browser, base } = {} as Awaited<ReturnType<typeof ownerAtHome>>;
beforeEach(async () => {
  ({ here, browser, base } = await ownerAtHome());
});

const send = (who: SettingsBrowser, method: string, address: string, headers = {}) =>
  method === "GET" ? who.fetch(address, { headers }) : who.post(address, {}, headers);
const returnOf = ({ headers }: Response) => {
  const { pathname, searchParams } = new URL(headers.get("location") ?? "", baseUrl);
  return pathname === "/sign-in" ? searchParams.get("return_to") : pathname;
};
const pageOf = async (answer: Response) => `${answer.status} ${await answer.text()}`;

describe("settings pages and forms", () => {
  it("include every page in the contract [S8]", () => {
    const pages = [...contract.matchAll(/`\/settings\/\{slug\}(.*?)`/g)].map(([, path = ""]) => path);
    expect(pages.length).toBeGreaterThan(9);
    for (const page of pages)
      expect(routes).toContainEqual({ method: "GET", path: `/:slug${page.replace("{id}", ":id")}` });
  });

  it("have a menu with a link to each section [S4]", async () => {
    const [, menu = ""] = /<nav class="side"(.*?)<\/nav>/s.exec(await browser.read(base)) ?? [];
    const links = [...menu.matchAll(/<li><a href="([^"]+)"/g)].map(([, address = ""]) => address);
    const sections = settingsPages.filter((page) => !page.includes("/", 1)).map((page) => base + page);
    expect(new Set(links)).toEqual(new Set([...sections, "/docs"]));
  });

  it.each(routes)("$method $path requires an owner's or admin's session", async ({ method, path }) => {
    const slug = `org-${here.organizationId}`;
    const nobodys = crypto.randomUUID();
    const email = `kim-${here.organizationId}@example.com`;
    await admin(here, "set-member", { email, role: "admin" });
    const demoted = await signedIn(email);
    await admin(here, "set-member", { email, role: "member" });
    const expired = await signedIn(here.ownerEmail);
    await env.DB.prepare("UPDATE sessions SET expires_at = created_at WHERE email = ?")
      .bind(here.ownerEmail)
      .run();
    const forged = new SettingsBrowser();
    forged.cookies.set("__Host-session", "made-up");
    for (const stranger of [new SettingsBrowser(), forged, demoted, await signedIn(email), expired]) {
      const answer = await send(stranger, method, addressOf(path, slug, nobodys));
      expect(answer.status).toBe(method === "GET" ? 303 : 401);
      if (method === "GET") expect(returnOf(answer)).toBe(addressOf(path, slug, nobodys));
    }
  });

  it.each(routes)("$method $path returns 404 for another workspace's id", async ({ method, path }) => {
    const there = await makeWorkspace();
    const answers = [];
    for (const slug of [
      `org-${there.organizationId}`,
      there.organizationId,
      here.organizationId,
      "nobodys",
    ]) {
      answers.push(await pageOf(await send(browser, method, addressOf(path, slug))));
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^404 /);
  });

  it.each(routes.filter(({ method }) => method === "POST"))(
    "$method $path rejects a request from another site",
    async ({ method, path }) => {
      const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
      const answer = await send(browser, method, addressOf(path, `org-${here.organizationId}`), foreign);
      expect(answer.status).toBe(403);
    },
  );
});

describe("another workspace's ids", () => {
  let there: { ids: string[]; organizationId: string };
  beforeAll(async () => {
    const workspace = await makeWholeWorkspace();
    there = { organizationId: workspace.organizationId, ids: idsIn(await everyRowOf(workspace)) };
  });

  it.each(routes.filter(({ path }) => path.includes(":id")))(
    "are unknown to $method $path, which changes nothing",
    async ({ method, path }) => {
      const slug = `org-${here.organizationId}`;
      const before = await everyRowOf(there);
      const nobodys = crypto.randomUUID();
      const expected = await pageOf(await send(browser, method, addressOf(path, slug, nobodys)));
      expect(expected).toMatch(/^404 /);
      for (const id of there.ids) {
        const answer = await pageOf(await send(browser, method, addressOf(path, slug, id)));
        expect(answer.replaceAll(id, nobodys)).toBe(expected);
      }
      expect(await everyRowOf(there)).toEqual(before);
    },
  );

  it("neither find nor replay a delivery", async () => {
    for (const id of there.ids) {
      for (const field of ["endpoint", "subject_id"]) {
        const page = await browser.read(`${base}/deliveries?${field}=${id}`);
        expect(page).toContain("Nothing found");
      }
      expect(await browser.read(`${base}/deliveries?cursor=${id}`)).toContain(
        "cursor must be the id of a delivery in this workspace",
      );
      expect((await browser.fetch(`${base}/deliveries/replay?endpoint=${id}`)).status).toBe(404);
      expect((await browser.fetch(`${base}/deliveries/${id}`)).status).toBe(404);
      expect((await browser.post(`${base}/deliveries/replay`, { endpoint: id })).status).toBe(404);
    }
    expect((await browser.fetch(`${base}/deliveries/nope`)).status).toBe(404);
  });
});

const checkboxes = (page: string) =>
  [...page.matchAll(/<input type="checkbox" name="scopes" value="([^"]+)"([^>]*)>/g)].map(
    ([, scope = "", rest = ""]) => ({
      scope,
      checked: /\bchecked\b/.test(rest),
      disabled: /\bdisabled\b/.test(rest),
    }),
  );

const fieldErrorsOf = (page: string): string[] =>
  [...page.matchAll(/class="error"[^>]*>.*?<\/svg>([^<]*)</gs)].map(([, text = ""]) => text);

describe("the token pages", () => {
  it("reject a form with an error at every invalid field [S5]", async () => {
    const refused = await browser.post(`${base}/tokens`, { name: " ", allowed_ips: "203.0.113.7/24" });
    const page = await refused.text();
    expect([refused.status, fieldErrorsOf(page)]).toEqual([
      400,
      [
        "Name is required",
        "Tick at least one permission",
        expect.stringContaining("Allowed addresses has host bits set"),
      ],
    ]);
    // Only the first invalid field has the focus.
    const begins = [...page.matchAll(/<(?:input|textarea)[^>]*\bautofocus[^>]*>/g)].map(String);
    expect(begins).toEqual([expect.stringContaining('name="name"')]);
  });

  it("offer every scope with the defaults selected and the reserved scope unavailable [S5]", async () => {
    const page = await browser.read(`${base}/tokens/new`);
    const byScope = (one: { scope: string }, other: { scope: string }) =>
      one.scope.localeCompare(other.scope);
    expect(checkboxes(page).sort(byScope)).toEqual(
      Object.entries(scopeCatalogue)
        .map(([scope, { default_selected, grantable }]) => ({
          scope,
          checked: default_selected,
          disabled: !grantable,
        }))
        .sort(byScope),
    );
    expect(page).toContain("Not available yet");
    expect(page).toContain("E-mails your clients");
    const ofTimer = checkboxes(await browser.read(`${base}/tokens/new?preset=time-tracker`));
    expect(ofTimer.filter(({ checked }) => checked).map(({ scope }) => scope)).toEqual([
      "client:read",
      "project:read",
      "time:read",
      "time:write",
    ]);
  });

  it("roll a token once when the form is submitted twice [A18, N7]", async () => {
    const [old] = await admin<{ id: string; name: string }[]>(here, "list-api-tokens");
    const path = `${base}/tokens/${old?.id}/roll`;
    const form_id = /name="form_id" value="([^"]+)"/.exec(await browser.read(path))?.[1] ?? "";
    const roll = async () => (await browser.post(path, { form_id, overlap_hours: "1" })).text();
    const tokenIn = (page: string) => /svc_[a-f0-9]{36}/.exec(page)?.[0];
    const [page, again] = [await roll(), await roll()];
    expect(page).toContain("Token rolled");
    expect([tokenIn(page), tokenIn(again)]).toEqual([expect.any(String), tokenIn(page)]);
    const tokens = await admin<{ name: string; expires_at: string | null }[]>(here, "list-api-tokens");
    expect(tokens.map(({ name, expires_at }) => [name, expires_at !== null])).toEqual([
      [old?.name, false],
      [old?.name, true],
    ]);
  });

  it("have a field for allowed addresses, next to the visitor's own address [A22, S5]", async () => {
    const headers = { "cf-connecting-ip": "::ffff:203.0.113.7" };
    const form = await (await browser.fetch(`${base}/tokens/new`, { headers })).text();
    expect(form).toContain("Your own address is now <code>203.0.113.7</code>");
    const allowed_ips = "203.0.113.7\r\n2001:DB8::/32, ";
    await browser.post(`${base}/tokens`, { name: "Fixed", scopes: "client:read", allowed_ips });
    const page = await browser.read(`${base}/tokens`);
    expect(page).toContain("Allowed addresses: 203.0.113.7, 2001:db8::/32");
    const [{ id } = { id: "" }] = await admin<{ id: string }[]>(here, "list-api-tokens");
    const path = `${base}/tokens/${id}/addresses`;
    const refused = await browser.post(path, { allowed_ips: "203.0.113.7/24" });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("Allowed addresses has host bits set in 203.0.113.7/24"),
    ]);
    expect(await browser.read(path)).toMatch(/<textarea[^>]*>203\.0\.113\.7\n2001:db8::\/32</);
    expect((await browser.post(path, { allowed_ips: " " })).status).toBe(303);
    expect(await browser.read(`${base}/tokens`)).not.toContain("Allowed addresses");
  });

  it("show a token once, list it, and revoke it after a confirmation", async () => {
    const fields: [string, string][] = [
      ["name", "Timer <b>"],
      ["scopes", "client:read"],
      ["scopes", "time:read"],
    ];
    const made = await browser.post(`${base}/tokens`, fields);
    expect([made.status, made.headers.get("cache-control")]).toEqual([200, "private, no-store"]);
    const shown = await made.text();
    const token = /value="(svc_[0-9a-f]{36})"/.exec(shown)?.[1] ?? "";
    expect(shown).toMatch(/<input id="token"[^>]* readonly=""[^>]* autocomplete="off"/);
    const [, lines = ""] = /<code id="curl">(.*?)<\/code>/s.exec(shown) ?? [];
    const [, address, apikey, authorization] =
      /^curl (\S+) \\\n {2}-H 'apikey: (\S+)' \\\n {2}-H 'Authorization: (.+)'$/.exec(
        lines.replaceAll("&#39;", "'"),
      ) ?? [];
    const first = await exports.default.fetch(String(address), {
      headers: { apikey: String(apikey), authorization: String(authorization) },
    });
    expect([first.status, await first.json()]).toEqual([200, expect.objectContaining({ name: "Timer <b>" })]);
    for (const value of [new URL(String(address)).origin, String(apikey)])
      expect(shown).toContain(`value="${value}"`);
    expect((await call({ token }, "/api-v1/clients")).status).toBe(200);
    const page = await browser.read(`${base}/tokens`);
    expect(page).not.toContain(token);
    expect(page).toContain(token.slice(0, 14));
    expect(page).toContain('title="client:read, time:read"');
    expect(page).toContain("Timer &lt;b&gt;");
    const [{ id } = { id: "" }] = await admin<{ id: string }[]>(here, "list-api-tokens");
    const asked = await browser.fetch(`${base}/tokens/${id}/revoke`);
    expect([asked.status, (await call({ token }, "/api-v1/clients")).status]).toEqual([200, 200]);
    const revoked = await browser.post(`${base}/tokens/${id}/revoke`);
    expect([revoked.status, revoked.headers.get("location")]).toEqual([303, `${base}/tokens`]);
    expect((await call({ token }, "/api-v1/clients")).status).toBe(401);
    expect(await browser.read(`${base}/tokens`)).toContain("Revoked");
  });

  it("keep the choices made in a rejected form", async () => {
    const refused = await browser.post(`${base}/tokens`, {
      name: "x".repeat(201),
      scopes: "deliverable:send",
    });
    const page = await refused.text();
    expect([refused.status, alertOf(page)]).toEqual([400, "Name must have 1 to 200 characters"]);
    const checked = checkboxes(page).filter((box) => box.checked);
    expect(checked.map(({ scope }) => scope)).toEqual(["deliverable:send"]);
    const unchosen = await (await browser.post(`${base}/tokens`, { name: "x" })).text();
    expect(alertOf(unchosen)).toBe("Tick at least one permission");
    expect(checkboxes(unchosen).filter((box) => box.checked)).toEqual([]);
    expect(await admin<object[]>(here, "list-api-tokens")).toHaveLength(1);
  });

  it("still list and revoke tokens on a plan without API access", async () => {
    const poor = await makeWorkspace({ plan: "free" });
    const its = await signedIn(poor.ownerEmail);
    const path = `/settings/org-${poor.organizationId}/tokens`;
    const refused = await its.post(path, { name: "x", scopes: "client:read" });
    expect([refused.status, alertOf(await refused.text())]).toEqual([403, "API access is a paid feature"]);
    const [{ id } = { id: "" }] = await admin<{ id: string }[]>(poor, "list-api-tokens");
    expect((await its.post(`${path}/${id}/revoke`)).status).toBe(303);
  });
});

describe("the webhook pages", () => {
  it("add an endpoint with a secret that is shown once, and test it [S6]", async () => {
    expect(await browser.read(`${base}/webhooks`)).toContain("No endpoints yet");
    const { path } = await register(await makeWorkspace());
    const url = inject("receivers").http + path;
    const ticked: [string, string][] = ["money", "invoice.paid"].map((name) => ["events", name]);
    const made = await browser.post(`${base}/webhooks`, [["url", url], ...ticked]);
    const page = await made.text();
    const secret = /value="(whsec_[^"]+)"/.exec(page)?.[1];
    expect([made.status, secret?.length]).toEqual([200, 50]);
    expect(page).toContain("<h1>Endpoint added</h1>");
    expect(page).not.toContain("The previous secret");
    expect(wordsOf(page)).toContain(`partner-api certify '${url}'`);
    expect(page).toMatch(/webhook\.verify\(.*Receive webhooks/s);
    const [{ id, events } = { id: "", events: [] }] = await admin<{ id: string; events: string[] }[]>(
      here,
      "list-webhook-endpoints",
    );
    expect(events).toEqual(["money"]);
    expect(page).toContain(`action="${base}/webhooks/${id}/test"`);
    const sent = await browser.post(`${base}/webhooks/${id}/test`, {});
    expect([sent.status, sent.headers.get("location")]).toEqual([
      303,
      expect.stringMatching(new RegExp(`^${base}/deliveries/[0-9a-f-]{36}$`)),
    ]);
    await settled({ id, secret: "", path });
    const delivery = await browser.read(sent.headers.get("location") ?? "");
    expect(delivery).toContain("Delivered");
    expect(delivery).toContain("<h1>Test delivery</h1>");
    const figures = await browser.read(`${base}/webhooks/${id}`);
    expect(figures).toMatch(/aria-label="The last 24 hours, UTC: 1 delivered, 0 failed, 0 gave up"/);
    expect(figures).not.toContain(secret);
    expect(await browser.read(`${base}/webhooks`)).toContain("Healthy");
  });

  it("rotate, disable and delete an endpoint after a confirmation, and enable it without one", async () => {
    const { id } = await register(here);
    const path = `${base}/webhooks/${id}`;
    for (const action of ["rotate", "disable", "delete"]) {
      expect((await browser.fetch(`${path}/${action}`)).status).toBe(200);
    }
    const [untouched] = await admin<Record<string, unknown>[]>(here, "list-webhook-endpoints");
    expect(untouched).toMatchObject({ enabled: true, previous_secret_expires_at: null });
    expect(await browser.read(`${path}/rotate`)).not.toContain("The last rotation has not ended");
    const rotated = await (await browser.post(`${path}/rotate`)).text();
    expect(rotated).toMatch(/<h1>Secret rotated<\/h1>.* value="whsec_/s);
    const [{ previous_secret_expires_at: until } = {}] = await admin<Record<string, string>[]>(
      here,
      "list-webhook-endpoints",
    );
    expect(rotated).toContain(
      `The previous secret also signs until ${until?.slice(0, 16).replace("T", " ")} UTC.`,
    );
    const again = await browser.read(`${path}/rotate`);
    expect(again).toMatch(
      new RegExp(`The last rotation has not ended.* until <time datetime="${until}"`, "s"),
    );
    expect(again).not.toContain(`method="post" action="${path}/rotate`);
    expect(await browser.read(`${path}/disable`)).not.toContain("The last rotation");
    expect((await browser.post(`${path}/disable`)).status).toBe(303);
    expect(await browser.read(path)).toContain("This endpoint is off");
    expect((await browser.post(`${path}/enable`)).status).toBe(303);
    expect((await browser.post(`${path}/delete`)).headers.get("location")).toBe(`${base}/webhooks`);
    expect((await browser.fetch(path)).status).toBe(404);
  });

  it("change an endpoint's URL, description and events", async () => {
    const { id } = await register(here, "status/200", { events: "money,signoff.recorded" });
    const path = `${base}/webhooks/${id}`;
    const page = await browser.read(`${path}/edit`);
    expect(page).toMatch(/value="money" checked/);
    const [{ url = "" } = {}] = await admin<Record<string, string>[]>(here, "list-webhook-endpoints");
    const wrong = { url: "http://10.0.0.1", headers: "Host: example.com", choice: "some" };
    const refused = await browser.post(`${path}/edit`, wrong);
    expect([refused.status, fieldErrorsOf(await refused.text())]).toEqual([
      400,
      [
        "Webhook endpoint must be an https URL",
        expect.stringMatching(/^Headers .*host/i),
        "Tick at least one event, or choose every event",
      ],
    ]);
    // If every event is chosen, the checkboxes are ignored.
    const every = { choice: "all", events: "money" };
    const changed = await browser.post(`${path}/edit`, { url: `${url}-new`, description: "Books", ...every });
    expect([changed.status, changed.headers.get("location")]).toEqual([303, path]);
    const [endpoint] = await admin<object[]>(here, "list-webhook-endpoints");
    expect(endpoint).toMatchObject({ url: `${url}-new`, description: "Books", events: null });
  });

  it("change an endpoint's headers, and show only their names [W29, W30]", async () => {
    const { id } = await register(here);
    const path = `${base}/webhooks/${id}`;
    const [{ url = "" } = {}] = await admin<Record<string, string>[]>(here, "list-webhook-endpoints");
    const save = (headers: string, more = {}) =>
      browser.post(`${path}/edit`, { url, choice: "all", headers, ...more });
    expect((await save("X-Key: s3cret:1\r\n\r\nX-Zone:eu")).status).toBe(303);
    expect(await browser.read(path)).toContain("Headers: <code>X-Key, X-Zone</code>");
    for (const wrong of ["Host: s3cret", "__proto__: s3cret", "s3cret", "X-Key: s3cret\nx-key: s3cret"]) {
      const refused = await save(wrong);
      const page = await refused.text();
      expect([refused.status, page]).toEqual([400, expect.stringMatching(/role="alert">.*Headers /s)]);
      expect(page).not.toContain("s3cret");
    }
    expect((await save("")).status).toBe(303);
    expect(await browser.read(`${path}/edit`)).toContain("<code>X-Key, X-Zone</code>");
    expect((await save("", { without_headers: "true" })).status).toBe(303);
    expect(await browser.read(path)).not.toContain("Headers:");
  });

  it("deliver earlier events after they have shown how many there are", async () => {
    await recordEvents(here, 2);
    const late = await register(here);
    const path = `${base}/webhooks/${late.id}/backfill`;
    expect(await browser.read(path)).toContain("Deliver 2 events");
    const made = await browser.post(path);
    expect(made.headers.get("location")).toBe(`${base}/deliveries?endpoint=${late.id}&replayed=2`);
    expect(await browser.read(path)).toContain("subscribes to already has a delivery");
  });

  it.each(["__proto__", "constructor"])("reject a form with the unknown field %s", async (field) => {
    const refused = await browser.post(`${base}/reminders`, [
      ["days", "3"],
      [field, "1"],
    ]);
    expect([refused.status, alertOf(await refused.text())]).toEqual([
      400,
      `${field} is not a known field (fields: days)`,
    ]);
  });

  it("reject a form with the operation's message and the entered values", async () => {
    const refused = await browser.post(`${base}/webhooks`, {
      url: "ftp://hooks.example",
      description: "Books",
    });
    const page = await refused.text();
    expect([refused.status, alertOf(page)]).toEqual([400, "Webhook endpoint must be an https URL"]);
    expect(page).toContain('value="ftp://hooks.example"');
    expect(page).toContain('value="Books"');
    const empty = await browser.post(`${base}/webhooks`, { url: "" });
    expect(alertOf(await empty.text())).toBe("Webhook endpoint must be an https URL");
  });
});

describe("the delivery pages", () => {
  it("search, paginate and replay deliveries, individually or in bulk [S7]", async () => {
    const endpoint = await register(here, "status/400");
    await recordEvents(here, 27);
    await env.DB.prepare(
      `UPDATE webhook_deliveries SET status = 'dead', settled_at = created_at, next_attempt_at = NULL
        WHERE endpoint_id = ?`,
    )
      .bind(endpoint.id)
      .run();
    await admin(here, "enable-webhook-endpoint", { id: endpoint.id });
    const page = await browser.read(`${base}/deliveries`);
    expect(page.match(/<tr>/g)).toHaveLength(26);
    const next = /href="(\?cursor=[^"]+)"/.exec(page)?.[1] ?? "";
    expect((await browser.read(`${base}/deliveries${next}`)).match(/<tr>/g)).toHaveLength(3);
    expect(await browser.read(`${base}/deliveries?status=delivered`)).toContain("Nothing found");
    const soon = new Date(Date.now() + 3_600_000).toISOString().slice(0, 16);
    expect(await browser.read(`${base}/deliveries?since=${soon}`)).toContain("Nothing found");
    expect((await browser.read(`${base}/deliveries?until=${soon}`)).match(/<tr>/g)).toHaveLength(26);
    const wrong = await browser.fetch(`${base}/deliveries?subject_id=7`);
    expect([wrong.status, alertOf(await wrong.text())]).toEqual([400, "subject_id must be a UUID"]);
    const asked = `${base}/deliveries/replay?endpoint=${endpoint.id}`;
    expect(await browser.read(asked)).toContain("Replay 27");
    const [{ id } = { id: "" }] = await deliveriesOf(endpoint);
    expect((await browser.post(`${base}/deliveries/${id}/replay`)).status).toBe(303);
    await arrived(endpoint);
    const many = await browser.post(`${base}/deliveries/replay`, { endpoint: endpoint.id });
    expect([many.status, many.headers.get("location")]).toEqual([303, expect.stringContaining("replayed=2")]);
    expect(await browser.read(many.headers.get("location") ?? "")).toContain(
      "deliveries are being sent again",
    );
    const said = await browser.read(`${base}/deliveries?replayed=Call+0800+now:+5`);
    expect(said).not.toMatch(/being sent again|Call 0800/);
  });
});

describe("a replay of many deliveries", () => {
  it("runs in steps and shows how many deliveries are replayed and how many remain", async () => {
    const endpoint = await register(here);
    await insertDeliveries(here, endpoint.id, 4_100, "dead");
    const until = "2026-01-31T12:00:01";
    const steps = `${base}/deliveries/replay`;
    const step = (fields: Record<string, string>) =>
      browser.post(steps, { endpoint: endpoint.id, until, ...fields });
    const query = (name: string, answer: Response) =>
      new URL(answer.headers.get("location") ?? "", baseUrl).searchParams.get(name);
    expect(await browser.read(`${steps}?endpoint=${endpoint.id}&until=${until}`)).toContain("Replay 4,100");
    const first = await step({});
    expect(["done", "total", "until"].map((name) => query(name, first))).toEqual([
      "2000",
      "4100",
      `${until}Z`,
    ]);
    const page = await browser.read(first.headers.get("location") ?? "");
    expect(page).toContain("2,000 of 4,100 deliveries replayed. 2,100 are left.");
    expect(page).toContain('aria-label="2,000 of 4,100"');
    expect(page).toContain("Continue");
    expect(page).toContain(`<input type="hidden" name="endpoint" value="${endpoint.id}"/>`);
    expect(query("done", await step({ done: "2000", total: "4100" }))).toBe("4000");
    const last = await step({ done: "4000", total: "4100" });
    expect([query("replayed", last), query("endpoint", last)]).toEqual(["4100", endpoint.id]);
    expect(await admin(here, "webhook-health", { id: endpoint.id })).toMatchObject({ dead_letters: 0 });
    const nothingLeft = await step({ done: "1", total: "9" });
    expect(query("replayed", nothingLeft)).toBe("1");
    await env.DB.prepare("UPDATE webhook_deliveries SET status = 'dead' WHERE endpoint_id = ?")
      .bind(endpoint.id)
      .run();
    await admin(here, "enable-webhook-endpoint", { id: endpoint.id });
    expect(query("replayed", await step({ done: "1", total: "9" }))).toBe("9");
    await env.DB.prepare("UPDATE webhook_deliveries SET status = 'delivered' WHERE endpoint_id = ?")
      .bind(endpoint.id)
      .run();
    for (const made of ["-1", "1e999", "x", "0", "4100"]) {
      const shown = await browser.read(`${steps}?endpoint=${endpoint.id}&done=${made}&total=4100`);
      expect(shown).toContain("there is nothing to replay");
      expect(shown).not.toContain('<button type="submit"');
    }
  });
});

describe("the member, plan and audit log pages", () => {
  it("invite a person, change a role, and remove a member after a confirmation", async () => {
    const email = `kim-${here.organizationId}@example.com`;
    expect((await browser.post(`${base}/members`, { email, role: "admin", name: "Kim" })).status).toBe(303);
    await admin(here, "set-member", { email, role: "admin" });
    const its = await signedIn(email);
    expect((await its.fetch(`${base}/members`)).status).toBe(200);
    const made = await its.post(`${base}/members`, { email, role: "owner" });
    expect([made.status, alertOf(await made.text())]).toEqual([403, "Only owners can change owners"]);
    const listed = await admin<{ id: string; email: string }[]>(here, "list-members");
    const path = `${base}/members/${listed.find((one) => one.email === email)?.id}/remove`;
    expect(await browser.read(path)).toContain(email);
    expect((await browser.post(path)).status).toBe(303);
    expect(returnOf(await its.fetch(`${base}/members`))).toBe(`${base}/members`);
    const after = await admin<{ email: string; role: string }[]>(here, "list-members");
    expect(after.find((one) => one.email === email)?.role).toBe("none");
    const own = `${base}/members/${here.ownerId}/remove`;
    const last = await browser.post(own);
    expect([last.status, alertOf(await last.text())]).toEqual([
      400,
      "A workspace needs at least one owner. Make another member an owner first",
    ]);
    const log = await browser.read(`${base}/audit-log`);
    expect(wordsOf(log)).toContain(`changed the role of ${email}`);
    expect(log).toContain(here.ownerEmail);
  });

  it("show the plan's limits and how much of them is used", async () => {
    const solo = await makeWorkspace({ plan: "solo" });
    await env.DB.prepare(
      `INSERT INTO mail_counts (organization_id, day, address, mails)
        VALUES (?1, date('now'), '', 7), (?1, date('now', '-1 day'), '', 9)`,
    )
      .bind(solo.organizationId)
      .run();
    const page = await (await signedIn(solo.ownerEmail)).read(`/settings/org-${solo.organizationId}/plan`);
    for (const text of ["on the Solo plan", "of 50<", "of 50,000<", "of 10 GB<", "60 requests a minute"]) {
      expect(page).toContain(text);
    }
    expect(page).toContain("<strong>E-mails today</strong><span>7 of 100</span>");
  });
});
