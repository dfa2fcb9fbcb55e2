import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import {
  Approved,
  approve,
  approveFrame,
  fetchPage,
  idOf,
  type Step,
  secretOf,
  setFrames,
  shareTokenOf,
  stopClocks,
  unused,
} from "../support/approved.ts";
import { startClock } from "../support/clock.ts";
import { insert, sql, type Values } from "../support/filled-workspace.ts";
import { settingsPages } from "../support/settings-pages.ts";
import { insertShownSettings } from "../support/shown-settings.ts";

const nord = "/settings/nord";
/** Session cookies: Olga owns one workspace, and Kim owns several. */
const olga = `__Host-session=${secretOf("olga")}`;
const kim = `__Host-session=${secretOf("kim")}`;
const wera = `__Host-session=${secretOf("wera")}`;
beforeEach(() => {
  stopClocks();
  // Prevents requests to webhook endpoints.
  vi.spyOn(env.WEBHOOK_DELIVERIES, "sendBatch").mockResolvedValue({} as never);
});
afterEach(startClock);

beforeAll(async () => {
  stopClocks();
  await insertShownSettings();
  await setFrames(await fetchPage("/sign-in"), await fetchPage(`${nord}/plan`, { cookie: olga }));
});

/** Compares the pages that one person visits with an approved file. */
const approveAs = (cookie: string, name: string, ...steps: Step[]) =>
  approve(`settings/${name}`, ...steps.map(([path, options]): Step => [path, { cookie, ...options }]));

it("renders every page's layout", async () => {
  await approveFrame("settings/frame", await fetchPage(`${nord}/plan`, { cookie: olga }));
});

/** Other tests add the states of these pages that this workspace does not have. */
it.each(settingsPages)("renders /settings/{slug}%s", async (page) => {
  const name = page.slice(1).replaceAll("/", "-") || "overview";
  await approveAs(olga, name, [nord + page, { headers: { "cf-connecting-ip": "203.0.113.7" } }]);
});

it("renders the list of workspaces", async () => {
  await approveAs(kim, "workspaces", ["/settings"], ["/settings/leer/tokens", { only: ["side"] }]);
  await approveAs(
    olga,
    "let-in",
    ["/settings"],
    ["/settings/"],
    [`${nord}/`],
    [`${nord}/deliveries/?status=dead`],
    [`${nord}/deliveries?status=dead`, { cookie: "" }],
    ["/settings/frei/tokens"],
    [`${nord}/nothing`],
    [`${nord}/deliveries/x/replay`, { cookie: "", fields: {} }],
    [`${nord}/webhooks`, { fields: { url: "x".repeat(64 * 1024) } }],
    [
      `${nord}/tokens`,
      { fields: {}, headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" } },
    ],
    [`${nord}/tokens`, { method: "DELETE" }],
    [`${nord}/plan`, { base: "http://api.example.com" }],
  );
});

it("renders the page for an error", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const batch = env.DB.batch.bind(env.DB);
  vi.spyOn(env.DB, "batch").mockRejectedValueOnce(new Error("the disk is full"));
  const file = new Approved("settings/failed");
  await file.add(`${nord}/plan`, { cookie: olga });
  // The trips are the session, the endpoints' state and the page's own reads.
  vi.mocked(env.DB.batch)
    .mockImplementationOnce(batch)
    .mockImplementationOnce(batch)
    .mockResolvedValueOnce([{ results: [] }] as never);
  await file.add(`${nord}/plan`, { cookie: olga, only: ["content"] });
  await file.isApproved();
});

it("renders the tokens", async () => {
  await approveAs(kim, "tokens-none", ["/settings/leer/tokens", { only: ["top", "empty"] }]);
  await approveAs(
    olga,
    "tokens-new-others",
    [`${nord}/tokens/new?preset=time-tracker`, { only: ["boxes"] }],
    ["/settings/frei/tokens/new", { cookie: kim, only: ["content"] }],
  );
  await approveAs(kim, "tokens-without-api", ["/settings/frei/tokens"]);
  await approveAs(
    olga,
    "tokens-refused",
    [`${nord}/tokens`, { fields: { name: "<Books>" }, only: ["alert", "fields"] }],
    [`${nord}/tokens`, { fields: { scopes: "deliverable:send" }, only: ["alert", "form"] }],
    ["/settings/frei/tokens", { cookie: kim, fields: { name: "N", scopes: "client:read" }, only: ["alert"] }],
  );
  await approveAs(olga, "token-addresses", [
    `${nord}/tokens/${idOf("unused")}/addresses`,
    { headers: { "cf-connecting-ip": "2001:db8::7" } },
  ]);
  await approveAs(
    olga,
    "token-revoke",
    [`${nord}/tokens/${idOf("ending")}/roll`],
    [`${nord}/tokens/${idOf("ended")}/roll`],
    [`${nord}/tokens/${idOf("ended")}/roll`, { fields: {}, only: ["content"] }],
    [`${nord}/tokens/${idOf("zapier")}/revoke`],
    [`${nord}/tokens/${idOf("revoked")}/revoke`],
    [`${nord}/tokens/${idOf("books")}/revoke`],
    [`${nord}/tokens/${idOf("books")}/revoke`, { fields: {}, only: ["content"] }],
  );
});

it("renders the pages for creating and revoking a token", async () => {
  const made = { form_id: idOf("form of a token"), name: "New <1>" };
  const scopes = [...Object.entries(made), ["scopes", "client:read"], ["scopes", "time:read"]] as [
    string,
    string,
  ][];
  const file = new Approved("settings/token-made");
  await file.add("/settings/werk/tokens", { cookie: wera, fields: scopes });
  const [{ id } = { id: "" }] = await sql<{ id: string }>("SELECT id FROM api_tokens WHERE name = 'New <1>'");
  await file.add(`/settings/werk/tokens/${id}/revoke`, { cookie: wera, fields: {} });
  await file.add("/settings/werk/tokens", { cookie: wera, fields: scopes, only: ["alert"] });
  await file.isApproved();
});

it("renders the endpoints", async () => {
  await approveAs(
    kim,
    "webhooks-none",
    ["/settings/leer/webhooks", { only: ["top", "empty"] }],
    ["/settings/frei/webhooks"],
    ["/settings/leer/webhooks/new"],
    ["/settings/frei/webhooks/new", { only: ["content"] }],
  );
  const typed: [string, string][] = [
    ["url", "http://books.example"],
    ["description", "<Books>"],
    ["events", "money"],
    ["events", "scope"],
  ];
  await approveAs(
    olga,
    "webhooks-refused",
    [`${nord}/webhooks`, { fields: typed, only: ["alert", "inputs"] }],
    [`${nord}/webhooks`, { fields: {}, only: ["alert"] }],
  );
});

it("renders an endpoint", async () => {
  await approveAs(olga, "endpoint", [`${nord}/webhooks/${idOf("books")}`]);
  const but = ["top", "banner", "under", "newest", "actions"] as const;
  await approveAs(
    olga,
    "endpoint-others",
    [`${nord}/webhooks/${idOf("crm")}`, { only: but }],
    [`${nord}/webhooks/${idOf("off")}`, { only: but }],
    [`${nord}/webhooks/${idOf("broken")}`, { only: ["top", "banner"] }],
    [`${nord}/webhooks/${idOf("books")}?period=7d`, { only: ["under"] }],
    [`/settings/frei/webhooks/${idOf("of frei's")}`, { cookie: kim, only: but }],
    [`${nord}/webhooks/${idOf("gone")}`],
    [`${nord}/webhooks/x`, { only: ["content"] }],
    [`${nord}/webhooks/${idOf("off")}/test`, { fields: { event: "" }, only: ["alert"] }],
  );
  await approveAs(
    olga,
    "endpoint-questions",
    [`${nord}/webhooks/${idOf("books")}/disable`],
    [`${nord}/webhooks/${idOf("crm")}/delete`, { only: ["content"] }],
    [`${nord}/webhooks/${idOf("books")}/rotate`, { only: ["content"] }],
    [`${nord}/webhooks/${idOf("rotating")}/rotate`, { only: ["content"] }],
    [`${nord}/webhooks/${idOf("gone")}/rotate`, { only: ["content"] }],
    [`${nord}/webhooks/${idOf("books")}/edit`, { only: ["content"] }],
    [`${nord}/webhooks/${idOf("books")}/edit`, { fields: { url: "http://x" }, only: ["content"] }],
    [`${nord}/webhooks/${idOf("gone")}/edit`, { only: ["content"] }],
    [`${nord}/webhooks/${idOf("books")}/backfill`, { only: ["content"] }],
    [`${nord}/webhooks/${idOf("off")}/backfill`, { only: ["content"] }],
    [`${nord}/webhooks/${idOf("gone")}/enable`, { fields: {}, only: ["content"] }],
    [`${nord}/webhooks/${idOf("gone")}/rotate`, { fields: {}, only: ["content"] }],
  );
});

it("renders the page of every action on an endpoint", async () => {
  const file = new Approved("settings/endpoint-made");
  const fields = {
    form_id: idOf("form of an endpoint"),
    url: "http://127.0.0.1/hook?<1>",
    description: "Hooks",
  };
  const add = (path: string, form: Record<string, string>) =>
    file.add(`/settings/werk/webhooks${path}`, { cookie: wera, fields: form });
  await add("", fields);
  const [{ id } = { id: "" }] = await sql<{ id: string }>(
    "SELECT id FROM webhook_endpoints WHERE description = 'Hooks'",
  );
  await add(`/${id}/rotate`, { form_id: idOf("form of a rotation") });
  await add(`/${id}/disable`, {});
  await add(`/${id}/enable`, {});
  await add(`/${id}/delete`, {});
  await file.isApproved();
});

it("renders the deliveries", async () => {
  const list = `${nord}/deliveries`;
  const search = new URLSearchParams({
    status: "dead",
    event: "invoice.paid",
    since: "2026-03-01T00:00",
    until: "2026-03-02T00:00:00.000Z",
    endpoint: idOf("crm").toUpperCase(),
    subject_id: ` ${idOf("record of dead of crm")} `,
  });
  await approveAs(olga, "deliveries-searched", [`${list}?${search}`]);
  await approveAs(
    olga,
    "deliveries-others",
    [`${list}?replayed=1&endpoint=${idOf("books")}`, { only: ["top", "banner"] }],
    [`${list}?replayed=20`, { only: ["top", "banner"] }],
    [`${list}?replayed=x`, { only: ["top", "banner"] }],
    [`${list}?endpoint=${idOf("gone")}&status=dead`, { only: ["details"] }],
    [`${list}?endpoint=${idOf("nowhere")}&event=invoice.paid`, { only: ["details", "found"] }],
    [`${list}?status=delivered`, { only: ["found"] }],
    [`${list}?cursor=${idOf("held")}`, { only: ["found"] }],
    [`${list}?subject_id=no-id`, { only: ["alert", "found"] }],
    [`${list}?endpoint=${idOf("crm")}&since=2026-03-01T05:30`, { only: ["top", "inputs", "found"] }],
    ["/settings/leer/deliveries", { cookie: kim, only: ["found"] }],
    ["/settings/frei/deliveries", { cookie: kim, only: ["found"] }],
    ["/settings/frei-2/deliveries", { cookie: kim, only: ["found"] }],
  );
});

it("renders a delivery", async () => {
  const at = (name: string) => `${nord}/deliveries/${idOf(name)}`;
  await approveAs(olga, "delivery", [at("dead")]);
  await approveAs(
    olga,
    "delivery-others",
    ...[
      "delivered",
      "in flight",
      "in flight, leased again",
      "retried",
      "retried and leased",
      "held",
      "of gone",
    ].map((name): Step => [at(name), { only: ["outcome"] }]),
    [`${nord}/deliveries/x`],
    [at("nowhere"), { only: ["content"] }],
    [`${at("of gone")}/replay`, { fields: {}, only: ["alert"] }],
    [`${at("held")}/replay`, { fields: {}, only: ["alert"] }],
    [`${nord}/deliveries/x/replay`, { fields: {}, only: ["content"] }],
  );
});

it("renders the page for a replay of many deliveries", async () => {
  const of = (name: string, more = "") => `${nord}/deliveries/replay?endpoint=${idOf(name)}${more}`;
  await approveAs(
    olga,
    "replay",
    [of("crm", "&since=2026-03-01T00:00&until=2026-03-02T00:00")],
    [of("books"), { only: ["content"] }],
    [of("books", "&since=2026-03-01T11:00"), { only: ["content"] }],
    [of("crm", "&done=1200&total=2500"), { only: ["content"] }],
    [of("crm", "&done=2500&total=2500"), { only: ["paragraphs"] }],
    [of("off")],
    [of("gone"), { only: ["content"] }],
    [`${nord}/deliveries/replay`, { fields: { endpoint: idOf("off") }, only: ["content"] }],
    [`${nord}/deliveries/replay`, { fields: { endpoint: "x" }, only: ["content"] }],
  );
});

it("renders the deliveries after a replay", async () => {
  const file = new Approved("settings/replayed");
  const many = { endpoint: idOf("of werk's"), since: "2026-03-01T00:00", until: "2026-03-02T00:00" };
  const send = (path: string, fields: Record<string, string>) =>
    file.add(`/settings/werk/${path}`, { cookie: wera, fields });
  await send(`deliveries/${idOf("dead of werk 1")}/replay`, {});
  await send("deliveries/replay", { ...many, done: "4", total: "10" });
  await send("deliveries/replay", many);
  await file.isApproved();
});

it("renders the members", async () => {
  await approveAs(
    olga,
    "members-changed",
    [`${nord}/members`, { fields: { email: "x", name: "<Kim>", role: "admin" }, only: ["alert", "form"] }],
    [`${nord}/members`, { fields: { email: " ARNE@nord.example", name: "Arne", role: "member" } }],
    [`${nord}/members`, { fields: { email: "olga@nord.example", role: "admin" }, only: ["content"] }],
    [`${nord}/members/${idOf("Arne")}/role`],
    [`${nord}/members/${idOf("books")}/role`, { only: ["content"] }],
    [`${nord}/members/${idOf("Arne")}/remove`],
    [`${nord}/members/${idOf("Mia")}/remove`, { only: ["content"] }],
    [`${nord}/members/${idOf("books")}/remove`, { only: ["content"] }],
    [`${nord}/members/${idOf("books")}/remove`, { fields: {}, only: ["content"] }],
    [`${nord}/members/${idOf("Olga")}/remove`, { fields: {}, only: ["content"] }],
  );
  await approveAs(
    wera,
    "members-saved",
    ["/settings/werk/members", { fields: { email: "new@werk.example", name: "New", role: "member" } }],
    [`/settings/werk/members/${idOf("Werner")}/remove`, { fields: {} }],
    ["/settings/werk/members", { only: ["content"] }],
  );
});

it("renders an invitation", async () => {
  const [member, admin, unknown] = ["invited member", "invited admin", "unknown"].map(
    (name) => `/invitations/${secretOf(name)}`,
  );
  await approve(
    "settings/invitation",
    [`${member}`],
    [`${member}`, { fields: {} }],
    [`${admin}`, { fields: {} }],
    [`${unknown}`],
  );
  await approveAs(olga, "invitation-taken-back", [
    `${nord}/members/${idOf("Ines")}/remove`,
    { only: ["content"] },
  ]);
});

it("renders the overview [U7]", async () => {
  await approveAs(
    kim,
    "overview-others",
    ["/settings/leer-2", { only: ["content"] }],
    ["/settings/frei", { only: ["content"] }],
    [`${nord}?days=7`, { cookie: olga, only: ["heading"] }],
  );
});

it("renders the requests [U7]", async () => {
  await approveAs(
    olga,
    "requests-searched",
    [`${nord}/requests?status=4xx&route=/api-v1/clients&since=2026-03-01T10:10`, { only: ["content"] }],
    [`${nord}/requests?token=${idOf("unused")}`, { only: ["empty"] }],
    [`${nord}/requests?status=x`, { only: ["alert"] }],
    [`${nord}/requests?request_id=${idOf("sent")}`],
    [`${nord}/requests?request_id=x`, { only: ["empty"] }],
  );
  await approveAs(
    kim,
    "requests-others",
    ["/settings/leer/requests", { only: ["pager"] }],
    [`/settings/leer/requests?cursor=${idOf("request 3")}`, { only: ["top"] }],
    ["/settings/leer-2/requests", { only: ["empty"] }],
    ["/settings/frei/requests", { only: ["empty"] }],
  );
});

it("renders a request [U7]", async () => {
  const only = { only: ["content"] } as const;
  await approveAs(
    olga,
    "request",
    [`${nord}/requests/${idOf("sent")}`],
    [`${nord}/requests/${idOf("refused")}`, only],
    [`${nord}/requests/${idOf("limited")}`, only],
    [`${nord}/requests/${idOf("failed")}`, only],
    [`${nord}/requests/${idOf("replayed")}`, only],
    [`${nord}/requests/${idOf("forgotten")}`, only],
    [`${nord}/requests/x`, only],
  );
});

it("renders the plan", async () => {
  await approveAs(
    kim,
    "plan-others",
    ["/settings/leer/plan", { only: ["content"] }],
    ["/settings/frei/plan", { only: ["content"] }],
  );
});

it("renders the audit log", async () => {
  await sql(
    `INSERT INTO api_tokens (id, organization_id, name, token_hash, token_prefix, scopes, created_by)
     SELECT ?1, ?2, 'Timer', 'x', 'svc_4444444444', '[]', id FROM members WHERE organization_id = ?2 LIMIT 1`,
    idOf("of leer"),
    idOf("leer"),
  );
  const entries = JSON.stringify(Array.from({ length: 205 }, (_, index) => idOf(`entry ${index}`)));
  await sql(
    `INSERT INTO requests (key, fingerprint, subject_id, request_id, organization_id, action, actor, created_at)
     SELECT 'key:' || value, 'x', 'x', value, ?, 'x', ?,
       strftime('%Y-%m-%dT%H:%M:%fZ', '2026-02-01', '-' || (key / 3) || ' seconds')
     FROM json_each(?)`,
    idOf("leer"),
    idOf("of leer"),
    entries,
  );
  await approveAs(
    kim,
    "audit-log-others",
    ["/settings/leer/audit-log", { only: ["top", "pager"] }],
    [`/settings/leer/audit-log?token=${idOf("of leer")}`, { only: ["top", "pager"] }],
    ["/settings/leer/audit-log?until=2026-01-31T23:59:00.000Z", { only: ["top", "pager"] }],
    ["/settings/leer/audit-log?until=2026-01-01T00:00:00.000Z", { only: ["content"] }],
    ["/settings/leer/audit-log?until=x", { only: ["content"] }],
    ["/settings/leer-2/audit-log", { only: ["content"] }],
  );
});

it("renders the reminder settings", async () => {
  const only = { only: ["content"] } as const;
  const own = (table: string, name: string, values: Values) =>
    insert(table, { id: idOf(name), organization_id: idOf("nord"), ...values });
  await own("clients", "reminded", { client_name: "Nora <Wind>" });
  await own("deliverables", "awaited", {
    client_id: idOf("reminded"),
    title: "Homepage <concept>",
    share_url: `https://app.example.com/review/${shareTokenOf("awaited")}`,
    created_by: idOf("Olga"),
    reminder_due_at: "2026-04-01T09:30:00.000Z",
  });
  const path = `${nord}/reminders`;
  await approveAs(
    olga,
    "reminders-set",
    [path, { ...only, fields: { days: "31" } }],
    [path, { ...only, fields: { days: "7" } }],
    [`${path}?done=saved`, only],
  );
});

it("renders a client whose review e-mail bounced [V33]", async () => {
  const { client, deliverable } = { client: idOf("returned"), deliverable: idOf("came back") };
  await insert("clients", {
    id: client,
    organization_id: idOf("nord"),
    client_name: "Mara <Wind>",
    email: "mara@northwind.example",
  });
  await insert("deliverables", {
    id: deliverable,
    organization_id: idOf("nord"),
    client_id: client,
    title: "Poster <concept>",
    share_url: `https://app.example.com/review/${shareTokenOf("came back")}`,
    created_by: idOf("Olga"),
    delivery_problem: '{"at":"2026-02-20T10:20:30.456Z","kind":"bounced","reason":"550 <b>No such user</b>"}',
  });
  const path = `${nord}/clients/${client}`;
  const only = { only: ["content"] } as const;
  await approveAs(
    olga,
    "client",
    [nord, { only: ["banner"] }],
    [path],
    [path, { ...only, fields: { email: "mara" } }],
    [path, { ...only, fields: { email: "mara.wind@northwind.example" } }],
    [`${path}?done=saved`, { only: ["banner"] }],
    [`${nord}/clients/${idOf("unknown")}`, only],
    [`${nord}/clients/x`, only],
  );
});

it("every approved file has a test", () => {
  expect(unused(Object.keys(import.meta.glob("./approved/settings/*.html")))).toEqual([]);
});
