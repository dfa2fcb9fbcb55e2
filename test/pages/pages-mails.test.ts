import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { warnOfDatabaseSize } from "../../src/core/operator/report-database-size.ts";
import { sha256Hex } from "../../src/platform/digest.ts";
import { servicesOf } from "../../src/services.ts";
import {
  Approved,
  fetchPage,
  idOf,
  onSeparateLines,
  shareTokenOf,
  stopClocks,
  unused,
} from "../support/approved.ts";
import { startClock } from "../support/clock.ts";
import { insert, sql, type Values } from "../support/filled-workspace.ts";
import { type SentMail, watchMails } from "../support/mails.ts";
import { post } from "../support/partner.ts";
import { signedIn } from "../support/settings.ts";
import { minute } from "../support/webhooks.ts";

/** Compares every e-mail that the service sends with approved files. */

const token = `svc_${"0123456789ab".repeat(3)}`;
let mails: SentMail[];
beforeEach(() => {
  stopClocks();
  mails = watchMails();
});
afterEach(startClock);

const own = (table: string, name: string, values: Values) =>
  insert(table, { id: idOf(name), organization_id: idOf("nord"), ...values });

/** Inserts a deliverable with one version. Its names contain markup that every e-mail must escape. */
async function work(name: string, values: Values = {}): Promise<void> {
  const common = {
    title: "Homepage\n<concept>",
    created_by: idOf("Olga"),
    created_at: "2026-02-01T09:30:00.000Z",
  };
  await own("deliverables", name, {
    client_id: idOf("Northwind"),
    embed_url: "https://www.example.com",
    share_url: `https://app.example.com/review/${shareTokenOf(name)}`,
    ...common,
    ...values,
  });
  const first = { deliverable_id: idOf(name), version_number: 1, hash: "hash 1", ...common };
  await own("deliverable_versions", `version of ${name}`, first);
}

beforeAll(async () => {
  stopClocks();
  await insert("organizations", { id: idOf("nord"), slug: "nord", name: "Studio\n<Nord>", plan: "agency" });
  await own("brands", "brand", { accent: "#c2410c" });
  await own("members", "Olga", { email: "olga@nord.example", name: "Olga\n<O>", role: "owner" });
  await own("clients", "Northwind", { client_name: "Nora\n<Wind>", email: "nora@northwind.example" });
  await own("projects", "Relaunch", {
    client_id: idOf("Northwind"),
    name: "Relaunch\n<2>",
    currency: "USD",
    included_revision_rounds: 9,
  });
  await own("api_tokens", "token", {
    name: "Timer",
    token_hash: sha256Hex(token),
    token_prefix: token.slice(0, 14),
    scopes: '["deliverable:send","deliverable:write"]',
    created_by: idOf("Olga"),
  });
});

async function cron(): Promise<void> {
  vi.spyOn(console, "log").mockImplementation(() => {});
  await minute();
}

/** Makes notices due. Their due time uses the real time of the insert, which is after the stopped clock. */
const makeNoticesDue = () =>
  sql("UPDATE review_notices SET due_at = '2026-03-01T11:00:00.000Z' WHERE sent_at IS NULL");

/** Compares all sent e-mails, sorted by recipient, with one approved file. */
async function approve(name: string, count: number): Promise<void> {
  await vi.waitFor(() => expect(mails).toHaveLength(count), { interval: 5 });
  const file = new Approved(`mails/${name}`);
  const [code] = /^\d{6} /.exec(mails[0]?.subject ?? "") ?? [];
  const known = (words: string) => (code ? words.replaceAll(code.trim(), "[code]") : words);
  for (const { from, to, replyTo, subject, text, html } of mails.toSorted((one, other) =>
    one.to < other.to ? -1 : 1,
  )) {
    file.text(
      `from: ${from.name} <${from.email}>\nto: ${to}\nreply-to: ${replyTo ?? "(nobody)"}\nsubject: ${known(subject)}`,
    );
    file.text(known(text));
    file.text(onSeparateLines(known(html)));
  }
  await file.isApproved();
}

it("renders a review request", async () => {
  await work("first");
  await work("second", { project_id: idOf("Relaunch") });
  const next = {
    title: "Second",
    previous_hash: "hash 1",
    hash: "hash 2",
    created_by: idOf("Olga"),
    created_at: "2026-02-02T09:30:00.000Z",
  };
  await own("deliverable_versions", "next version", {
    deliverable_id: idOf("second"),
    version_number: 2,
    ...next,
  });
  expect((await post({ token }, `/api-v1/deliverables/${idOf("first")}/send`, {})).status).toBe(200);
  await approve("review", 1);
  mails.length = 0;
  const message = "Hello <Nora>,\nhave a look.";
  expect((await post({ token }, `/api-v1/deliverables/${idOf("second")}/send`, { message })).status).toBe(
    200,
  );
  await approve("review-again", 1);
});

it("renders a review reminder", async () => {
  await work("awaited", { project_id: idOf("Relaunch") });
  const path = `/api-v1/deliverables/${idOf("awaited")}/send`;
  expect((await post({ token }, path, { remind_after_days: 7 })).status).toBe(200);
  await vi.waitFor(() => expect(mails).toHaveLength(1), { interval: 5 });
  mails.length = 0;
  await sql(
    "UPDATE deliverables SET reminder_due_at = '2026-01-01T00:00:00.000Z' WHERE reminder_due_at IS NOT NULL",
  );
  await cron();
  await approve("reminder", 1);
});

it("renders the e-mail with a code", async () => {
  await work("coded");
  await fetchPage("/review/coded/code", { fields: {} });
  await approve("code", 1);
});

it.each([
  ["comment", "link_only"],
  ["change_request", "mailed_link"],
])("renders the owner's notice about a %s (%s)", async (kind, attribution) => {
  await work(kind);
  await own("feedback", `said by ${kind}`, {
    deliverable_id: idOf(kind),
    version_number: 1,
    kind,
    attribution,
    body: "Larger <moon>\nplease",
    author_name: "Nora\n<Wind>",
  });
  await makeNoticesDue();
  await cron();
  await approve(`said-${kind}`, 1);
});

it.each([
  ["bounced", '"550 <b>No such user</b>"'],
  ["complained", "null"],
])("renders the owner's notice about a returned review e-mail: %s", async (kind, reason) => {
  await work(kind, {
    delivery_problem: `{"at":"2026-02-20T10:20:30.456Z","kind":"${kind}","reason":${reason}}`,
  });
  await own("review_notices", `notice of ${kind}`, { deliverable_id: idOf(kind), recipient: "owner" });
  await makeNoticesDue();
  await cron();
  await approve(`review-${kind}`, 1);
});

it("renders the owner's and the client's notices about a sign-off", async () => {
  await work("signed");
  await own("sign_offs", "sign-off", {
    deliverable_id: idOf("signed"),
    version_number: 1,
    signer_name: "Nora\n<Wind>",
    attribution: "mailed_link",
    created_at: "2026-02-20T10:20:30.456Z",
  });
  await makeNoticesDue();
  await cron();
  await approve("signed-off", 2);
});

it.each([
  ["warning", { notice: "warning", consecutive_dead: 10 }],
  ["disabled", { notice: "disabled", enabled: 0, disabled_reason: "circuit_breaker" }],
  ["enabled", { notice: "disabled" }],
])("renders the owner's notice about a failing endpoint: %s", async (name, values) => {
  await own("webhook_endpoints", name, {
    url: `https://${name}.example/hook?a=1&b=2`,
    secret_encrypted: "encrypted",
    created_by: idOf("Olga"),
    notice_due_at: "2026-03-01T11:00:00.000Z",
    ...values,
  });
  await cron();
  await approve(`endpoint-${name}`, 1);
});

it("renders the operator's warning about the database size", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const measured = { all: async () => ({ results: [], meta: { size_after: 7.1e9 } }) };
  const { prepare } = env.DB;
  const batch = env.DB.batch.bind(env.DB);
  const db = new Proxy(env.DB, {
    get: (_, name) =>
      name === "batch"
        ? batch
        : (text: string) => (text.startsWith("SELECT percent") ? measured : prepare.call(env.DB, text)),
  });
  await warnOfDatabaseSize({ ...servicesOf(env), operatorEmail: "ops@example.com", db });
  await approve("size", 1);
});

it.each([1, 4])("renders a digest of %i held-back notifications", async (held_notices) => {
  await sql(
    `INSERT INTO mail_counts (day, organization_id, address, held_notices)
      VALUES ('2026-02-28', ?, 'olga@nord.example', ?) ON CONFLICT DO UPDATE SET held_notices = excluded.held_notices`,
    idOf("nord"),
    held_notices,
  );
  await cron();
  await approve(`digest-${held_notices}`, 1);
});

it.each(["owner", "admin", "member"])("renders an invitation to become %s", async (role) => {
  const browser = await signedIn("olga@nord.example");
  expect((await browser.rpc("set_member", { email: `${role}@nord.example`, role })).status).toBe(200);
  await approve(`invitation-${role}`, 1);
});

it("renders a sign-in link", async () => {
  await fetchPage("/sign-in", { fields: { email: "olga@nord.example", return_to: "/settings/nord/tokens" } });
  await approve("sign-in", 1);
});

it("every approved file has a test", () => {
  expect(unused(Object.keys(import.meta.glob("./approved/mails/*.html")))).toEqual([]);
});
