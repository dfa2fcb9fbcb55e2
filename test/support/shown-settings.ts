import type { LoggedRequest } from "../../src/contract/request-log.ts";
import { sha256Hex } from "../../src/platform/digest.ts";
import { idOf, secretOf } from "./approved.ts";
import { coordinatorStub, loggedRequest } from "./coordinator.ts";
import { insert, sql, type Values } from "./filled-workspace.ts";

/**
 * Inserts rows for every state of a settings page. Tests only read the workspace `nord`, and change `werk`. In other
 * workspaces something is missing, such as records or API access.
 */

const long = "2026-01-31T09:30:00.000Z";
const token = `svc_${"0123456789ab".repeat(3)}`;

async function workspace(slug: string, values: Values, members: [string, Values][]): Promise<void> {
  await insert("organizations", { id: idOf(slug), slug, created_at: long, ...values });
  for (const [index, [name, member]] of members.entries())
    await insert("members", {
      id: idOf(name),
      organization_id: idOf(slug),
      created_at: `2026-01-0${index + 1}T00:00:00.000Z`,
      ...member,
    });
}

const own = (table: string, name: string, values: Values, slug = "nord") =>
  insert(table, { id: idOf(name), organization_id: idOf(slug), ...values });

const apiToken = (name: string, values: Values, slug = "nord") =>
  own("api_tokens", name, { created_at: long, scopes: "[]", token_hash: name, ...values }, slug);

const endpoint = (name: string, values: Values = {}, slug = "nord") =>
  own(
    "webhook_endpoints",
    name,
    {
      url: `https://${name.replaceAll(/\W/g, "-")}.example/hook?a=1&b=2`,
      secret_encrypted: "encrypted",
      created_by: idOf({ nord: "Olga", werk: "Wera", frei: "Kim in frei" }[slug] ?? ""),
      created_at: long,
      ...values,
    },
    slug,
  );

/** A delivery to an endpoint. `at` is the time of day at which it was recorded. */
type Recorded = [name: string, to: string, at: string, values?: Values, slug?: string];

const today = (at: string) => `2026-03-01T${at}.000Z`;
const dead = (at: string) => ({ status: "dead", attempts: 1, settled_at: today(at), failed_at: today(at) });
const due = (at: string) => ({ attempts: 1, next_attempt_at: today(at) });

const recorded: readonly Recorded[] = [
  ["delivered", "books", "11:00:00", { status: "delivered", attempts: 1, settled_at: today("11:00:05") }],
  [
    "delivered earlier",
    "books",
    "09:59:00",
    { status: "delivered", settled_at: today("09:59:05"), event: "deliverable.sent" },
  ],
  ["dead", "books", "08:00:00", { ...dead("08:00:05"), attempts: 2 }],
  ["in flight", "books", "12:00:00", { next_attempt_at: today("12:01:00") }],
  ["in flight, leased again", "books", "07:00:00", due("12:01:10")],
  ["retried and leased", "books", "06:30:00", due("12:01:11")],
  ["retried", "books", "07:30:00", { ...due("13:07:00"), failed_at: today("11:30:00") }],
  ["dead of crm", "crm", "06:00:00", dead("06:00:05")],
  ["dead of crm, too", "crm", "05:00:00", dead("05:00:05")],
  ["held", "off", "04:00:00"],
  ["of gone", "gone", "03:00:00", { status: "dead", settled_at: today("03:00:05") }],
  ["dead of werk 1", "of werk's", "06:00:00", dead("06:00:05"), "werk"],
  ["dead of werk 2", "of werk's", "06:00:01", dead("06:00:05"), "werk"],
  ["dead of werk 3", "of werk's", "06:00:02", dead("06:00:05"), "werk"],
  ["held by plan", "of frei's", "04:00:00", {}, "frei"],
];

/** Must run before endpoints are inserted, so that they have only the deliveries in this list. */
async function insertEvents(): Promise<void> {
  for (const [name, , at, { event = "invoice.paid" } = {}, slug] of recorded)
    await own(
      "events",
      `event of ${name}`,
      {
        event,
        subject_id: idOf(`record of ${name}`),
        payload: '{"event":"x","data":{"a":"<1>"}}',
        created_at: today(at),
      },
      slug,
    );
}

async function insertDeliveries(): Promise<void> {
  for (const [name, to, at, values, slug] of recorded)
    await own(
      "webhook_deliveries",
      name,
      {
        endpoint_id: idOf(to),
        event_id: idOf(`event of ${name}`),
        event: "invoice.paid",
        created_at: today(at),
        ...values,
      },
      slug,
    );
}

const attempt = (name: string, number: number, values: Values) =>
  sql(
    `INSERT INTO webhook_attempts (organization_id, delivery_id, attempt_number, attempted_at, latency_ms,
       response_status, error_class, response_body, next_attempt_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    idOf("nord"),
    idOf(name),
    number,
    `2026-03-01T11:0${number}:09.500Z`,
    number * 1500,
    values.response_status ?? null,
    values.error_class ?? null,
    values.response_body ?? null,
    values.next_attempt_at ?? null,
  );

/** Logs requests, one of which fired an event. */
async function insertRequests(): Promise<void> {
  const [place] = await sql("SELECT sequence FROM events WHERE id = ?", idOf("event of dead"));
  const sequence = Number(place?.sequence);
  const of = (name: string, at: string, values: Partial<LoggedRequest>) =>
    loggedRequest({ request_id: idOf(name), at: today(at), token_id: idOf("zapier"), ...values });
  const invalid = { error: "… is not a known field (company_name?)", status: 400 };
  await coordinatorStub({ organizationId: idOf("nord") }).logRequests([
    of("read before", "09:00:00", { duration_ms: 7 }),
    of("sent", "08:00:00", {
      method: "POST",
      route: "/api-v1/deliverables/{id}/send",
      subject_id: idOf("record of dead"),
      events: [{ behind: sequence - 1, upTo: sequence }],
    }),
    of("refused", "10:00:00", { method: "POST", ...invalid, token_id: idOf("revoked") }),
    of("limited", "10:30:00", { status: 429, code: "rate_limit_exceeded", error: "Too many requests" }),
    of("failed", "10:40:00", { status: 503, error: "The database is busy" }),
    of("replayed", "11:00:00", { method: "POST", replay: true, subject_id: idOf("a client") }),
    of("forgotten", "11:00:00", { token_id: idOf("ending"), at: "2026-02-01T11:00:00.000Z" }),
  ]);
  await coordinatorStub({ organizationId: idOf("nord") }).countDeliveries(3);
  await sql(
    `INSERT INTO requests (organization_id, key, fingerprint, request_id, actor, action, subject_id, created_at)
     VALUES (?, 'key:sent', 'x', ?, ?, 'deliverable.sent', ?, ?)`,
    idOf("nord"),
    idOf("sent"),
    idOf("zapier"),
    idOf("record of dead"),
    today("08:00:00"),
  );
  const many = Array.from({ length: 51 }, (_, index) =>
    loggedRequest({
      request_id: idOf(`request ${index}`),
      at: today("09:00:00"),
      token_id: idOf("of leer's log"),
    }),
  );
  await apiToken(
    "of leer's log",
    { name: "Busy", token_prefix: "svc_6666666666", created_by: idOf("Kim in leer") },
    "leer",
  );
  await coordinatorStub({ organizationId: idOf("leer") }).logRequests(many);
}

export async function insertShownSettings(): Promise<void> {
  await workspace("nord", { name: "Studio <Nord>", plan: "agency", features: '["connector_api_ingest"]' }, [
    ["Olga", { email: "olga@nord.example", name: "Olga & Co", role: "owner" }],
    ["Arne", { email: "arne@nord.example", role: "admin" }],
    ["Mia", { email: "mia@nord.example", name: "Mia", role: "member" }],
    ["Left", { email: "left@nord.example", name: "Lars", role: "none" }],
  ]);
  await workspace("werk", { name: "Werk", plan: "agency" }, [
    ["Wera", { email: "wera@werk.example", role: "owner" }],
    ["Werner", { email: "werner@werk.example", role: "member" }],
  ]);
  for (const [slug, name, plan] of [
    ["frei", "Frei", "free"],
    ["leer", "Leer", "solo"],
    ["leer-2", "Leer", "agency"],
    ["frei-2", "Frei", "free"],
  ] as const)
    await workspace(slug, { name, plan }, [[`Kim in ${slug}`, { email: "kim@example.com", role: "owner" }]]);
  for (const [secret, email] of [
    ["olga", "olga@nord.example"],
    ["kim", "kim@example.com"],
    ["wera", "wera@werk.example"],
  ] as const)
    await sql(
      "INSERT INTO sessions (token_hash, email, expires_at) VALUES (?, ?, '2099-01-31T09:30:00.000Z')",
      sha256Hex(secretOf(secret)),
      email,
    );
  const invited = { created_at: long, expires_at: "2099-01-31T09:30:00.000Z" };
  for (const [name, slug, inviter, role] of [
    ["Ines", "nord", "Olga", "admin"],
    ["invited member", "werk", "Wera", "member"],
    ["invited admin", "werk", "Wera", "admin"],
  ] as const)
    await own(
      "invitations",
      name,
      {
        email: `${name.replace(" ", "-").toLowerCase()}@${slug}.example`,
        name: name === "Ines" ? "Ines <I>" : null,
        role,
        token_hash: sha256Hex(secretOf(name)),
        created_by: idOf(inviter),
        ...invited,
      },
      slug,
    );
  await apiToken("zapier", {
    name: "Zapier <1>",
    token_hash: sha256Hex(token),
    token_prefix: token.slice(0, 14),
    scopes: '["invoice:read","client:read"]',
    created_by: idOf("Olga"),
  });
  await apiToken("unused", {
    name: "Unused",
    allowed_ips: '["203.0.113.7","2001:db8::/32"]',
    token_prefix: "svc_1111111111",
    created_by: idOf("Arne"),
    created_at: "2026-01-30T09:30:00.000Z",
  });
  await apiToken("revoked", {
    name: "Old",
    token_prefix: "svc_2222222222",
    created_by: idOf("Left"),
    created_at: "2026-01-29T09:30:00.000Z",
    revoked_at: "2026-02-01T09:30:00.000Z",
  });
  await apiToken("ending", {
    name: "Expires soon",
    token_prefix: "svc_4444444444",
    created_by: idOf("Arne"),
    created_at: "2026-01-28T09:30:00.000Z",
    expires_at: "2026-03-06T09:30:00.000Z",
  });
  await apiToken("ended", {
    name: "Expired",
    token_prefix: "svc_5555555555",
    created_by: idOf("Arne"),
    created_at: "2026-01-27T09:30:00.000Z",
    expires_at: "2026-02-27T09:30:00.000Z",
  });
  await apiToken(
    "of frei",
    { name: "Ours", token_prefix: "svc_3333333333", created_by: idOf("Kim in frei") },
    "frei",
  );
  await coordinatorStub({ organizationId: idOf("nord") }).count(60, idOf("zapier"));

  await insertEvents();
  await endpoint("books", {
    description: "Books <tax>",
    events: '["money","deliverable.sent"]',
    consecutive_failures: 0,
  });
  await endpoint("crm", {
    consecutive_failures: 5,
    consecutive_dead: 4,
    created_at: "2026-01-30T09:30:00.000Z",
  });
  await endpoint("off", { enabled: 0, disabled_reason: "admin", created_at: "2026-01-29T09:30:00.000Z" });
  await endpoint("broken", {
    enabled: 0,
    disabled_reason: "circuit_breaker",
    created_at: "2026-01-28T09:30:00.000Z",
  });
  await endpoint("gone", { deleted_at: "2026-02-28T09:30:00.000Z", created_at: "2026-01-27T09:30:00.000Z" });
  await endpoint("rotating", {
    previous_secret_encrypted: "x",
    previous_secret_expires_at: "2026-03-02T09:30:00.000Z",
    created_at: "2026-01-26T09:30:00.000Z",
  });
  await endpoint("of werk's", {}, "werk");
  await endpoint("of frei's", { description: "Ours" }, "frei");
  await insertDeliveries();
  await attempt("dead", 1, {
    response_status: 503,
    error_class: "http_503",
    response_body: "<b>Down</b>",
    next_attempt_at: today("11:02:00"),
  });
  await attempt("dead", 2, { error_class: "timeout" });
  await attempt("retried", 1, { response_status: 500, error_class: "http_500", response_body: "" });
  await attempt("delivered", 1, { response_status: 200, response_body: "ok" });

  for (const [name, values] of Object.entries<Values>({
    created: {
      action: "token.created",
      actor: "olga@nord.example",
      subject_id: idOf("zapier"),
      details: '{"scopes":["client:read"],"name":"<Z>"}',
    },
    operated: { action: "plan.set", actor: "olga@nord.example", operator: "kim@laptop", details: "{}" },
  }))
    await own("audit_log", `entry ${name}`, { created_at: long, ...values });
  await sql(
    `INSERT INTO requests (organization_id, key, fingerprint, request_id, actor, action, subject_id, created_at)
     VALUES (?, 'key:1', 'x', ?, ?, 'client.created', ?, ?)`,
    idOf("nord"),
    idOf("entry written"),
    idOf("zapier"),
    idOf("a client"),
    long,
  );
  await insertRequests();
  await sql(
    "INSERT INTO mail_counts (day, organization_id, address, mails) VALUES ('2026-03-01', ?, '', 7)",
    idOf("leer"),
  );
  await sql(
    "UPDATE organizations SET storage_bytes = 1250000, record_count = 1234 WHERE id = ?",
    idOf("leer"),
  );
}
