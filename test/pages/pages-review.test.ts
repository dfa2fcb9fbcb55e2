import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { secretHash } from "../../src/platform/secret.ts";
import worker from "../../src/worker.ts";
import {
  Approved,
  approve,
  approveFrame,
  fetchPage,
  idOf,
  type Part,
  type Step,
  secretOf,
  setFrames,
  shareTokenOf,
  stopClocks,
  unused,
} from "../support/approved.ts";
import { startClock } from "../support/clock.ts";
import { sql } from "../support/filled-workspace.ts";
import { type SentMail, watchMails } from "../support/mails.ts";
import { baseUrl } from "../support/partner.ts";
import {
  codeOf,
  image,
  insertStudio,
  keyOf,
  link,
  moment,
  own,
  review,
  say,
  sent,
  signed,
} from "../support/shown-review.ts";

let mails: SentMail[];
beforeEach(() => {
  stopClocks();
  mails = watchMails();
});
afterEach(startClock);

const works = [
  "https://www.figma.com/file/abcdefghij0123/Name?node-id=1-2&page-id=3&starting-point-node-id=4",
  "https://youtu.be/abcdefghij_?t=1m30s",
  "https://vimeo.com/123456789/0123456789",
  `https://www.loom.com/share/${"0a".repeat(16)}`,
  `https://docs.google.com/document/d/${"x".repeat(24)}/edit`,
  `https://docs.google.com/presentation/d/${"x".repeat(24)}/edit`,
  `https://docs.google.com/presentation/d/e/${"x".repeat(24)}/pub`,
  `https://docs.google.com/spreadsheets/d/e/${"x".repeat(24)}/pubhtml`,
  `https://drive.google.com/file/d/${"x".repeat(24)}/view`,
  "https://miro.com/app/board/uXjVabcdefg=/",
  "https://codepen.io/team/nord/pen/abcDEF",
  "https://www.canva.com/design/DAabcdefgh/abcdefghijklmn/view",
];

beforeAll(async () => {
  stopClocks();
  await insertStudio();
  await setFrames(await fetchPage("/sign-in"));
});

it("renders every page's layout", async () => {
  await approveFrame("review/frame", await fetchPage("/sign-in"));
});

it("renders a draft for a visitor with the bare link", async () => {
  await review("draft", {}, link);
  await approve("review/draft", ["/review/draft"]);
});

it("renders a review with every part for a visitor with the e-mailed link", async () => {
  const note = "A larger moon.\nAnd <b>more</b>.";
  await review(
    "concept",
    { project_id: idOf("Relaunch") },
    { ...image, note },
    { ...link, title: "Second" },
    { ...image, note, title: "Third <title>" },
  );
  await say("concept", "comment", 5, { attribution: "mailed_link" });
  await say("concept", "comment", 6, { attribution: "mailed_code" });
  await say("concept", "change_request", 7, { attribution: "recorded_by_admin" });
  await say("concept", "comment", 8, { version_number: 2, attribution: "link_only" });
  await sent("concept", 3);
  const cookie = await keyOf("concept");
  await approve(
    "review/in-review",
    ["/review/concept", { cookie }],
    ["/review/concept?version=1", { cookie, only: ["title", "title block", "banner", "details", "forms"] }],
    ["/review/concept?version=2", { cookie, only: ["title block", "banner", "work", "details"] }],
    ["/review/concept/versions/1/image", { only: [] }],
    ["/review/concept/versions/2/image", { only: [] }],
  );
});

it("renders the page that stops reminders", async () => {
  await review("reminded", { reminder_due_at: "2026-04-01T09:30:00.000Z" }, link);
  await keyOf("reminded");
  const path = `/review/reminded/${secretOf("key of reminded")}/reminders`;
  await approve("review/reminders", [path], [path, { fields: {} }], [path]);
});

it("renders the page of comments before the newest 50", async () => {
  await review("busy", {}, link);
  for (let second = 1; second <= 51; second += 1) {
    const created_at = `2026-02-05T09:00:${String(second).padStart(2, "0")}.000Z`;
    await say("busy", "comment", second, { created_at });
  }
  await approve("review/earlier-comments", [
    `/review/busy?before=${idOf("comment of 2 to busy")}`,
    { only: ["conversation"] },
  ]);
});

it("renders requested changes for a client without an e-mail address", async () => {
  await review("sent-back", { client_id: idOf("Nobody") }, link);
  await say("sent-back", "change_request", 5);
  await approve("review/changes-requested", [
    "/review/sent-back",
    { only: ["title", "header", "conversation", "forms", "footer"] },
  ]);
});

it("renders the work as an image, a frame and a link", async () => {
  await review("embeds", { project_id: idOf("Relaunch") }, ...works.map((embed_url) => ({ embed_url })));
  await approve(
    "review/embeds",
    ["/review/embeds?version=1", { only: ["work"] }],
    ["/review/embeds?version=2", { only: ["work"] }],
    ...works.map((_, index): Step => [`/review/embeds?version=${index + 1}&embed=load`, { only: ["work"] }]),
  );
  await review(
    "works",
    { project_id: idOf("Relaunch") },
    { ...image, ...link },
    { embed_url: "no address" },
    {},
    { embed_url: "https://user@youtu.be/abcdefghij_" },
  );
  await approve(
    "review/works",
    ...[1, 2, 3, 4].map((number): Step => [`/review/works?version=${number}&embed=load`, { only: ["work"] }]),
  );
});

it("renders each step of confirming an address with a code", async () => {
  for (const name of ["codes", "code-sent", "code-over"]) await review(name, {}, link);
  const form = (name: string) => ({ form_id: `0.${idOf(`form of ${name}`)}` });
  const file = new Approved("review/codes");
  await file.add("/review/codes", { only: ["sign-off"] });
  await file.add("/review/codes/code", { fields: form("code") });
  await file.add("/review/codes", { only: ["sign-off"] });
  await file.add("/review/codes/verify", { fields: { ...form("a"), code: "12" }, only: ["alert", "forms"] });
  const code = /\d{6}/.exec(mails[0]?.subject ?? "")?.[0] ?? "";
  const wrong = code === "111111" ? "222222" : "111111";
  await file.add("/review/codes/verify", {
    fields: { ...form("b"), code: wrong },
    only: ["alert", "sign-off"],
  });
  await file.add("/review/codes/verify", { fields: { ...form("c"), code } });
  await codeOf("code-over", { tries: 5 });
  await file.add("/review/code-over/verify", {
    fields: { ...form("d"), code: "111111" },
    only: ["alert", "sign-off"],
  });
  await file.add("/review/code-over/verify", { fields: { ...form("d"), code: "1" }, only: ["sign-off"] });
  await file.isApproved();
});

it("renders the page for an unknown e-mailed link", async () => {
  await review("linked", {}, link);
  await keyOf("linked");
  await approve(
    "review/links",
    [`/review/linked/${secretOf("key of linked")}`],
    [`/review/linked/${secretOf("key of nobody")}`],
    [`/review/nobody/${secretOf("key of nobody")}`, { only: ["heading"] }],
  );
});

it("renders rejected forms with their values", async () => {
  await review("refused", {}, link);
  const cookie = await keyOf("refused");
  const form = { form_id: `0.${idOf("form")}`, version_number: "1", kind: "comment" };
  const post = (fields: Record<string, string>, only: Part[] = ["alert", "forms"]): Step => [
    "/review/refused/feedback",
    { fields, cookie, only },
  ];
  await approve(
    "review/forms-refused",
    post({ ...form, author_name: "Nora <Wind>", body: " " }),
    post({ ...form, author_name: "Nora\nWind", body: "x".repeat(5001) }, ["alert", "inputs", "small"]),
    post({}, ["alert", "inputs", "small"]),
    [
      "/review/refused/sign-off",
      { fields: { ...form, signer_name: "Nora <Wind>" }, cookie, only: ["alert", "forms"] },
    ],
    [
      "/review/refused/sign-off",
      { fields: { ...form, signer_name: "", consent: "on" }, cookie, only: ["sign-off"] },
    ],
  );
});

it("renders the message for each error", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  for (const name of ["closed", "open", "two", "full"])
    await review(name, name === "two" ? { project_id: idOf("Relaunch") } : {}, link);
  await own("deliverable_versions", "version 2 of two", {
    deliverable_id: idOf("two"),
    version_number: 2,
    title: "Two",
    previous_hash: "hash 1",
    hash: "hash 2",
    created_by: idOf("Olga"),
    created_at: moment(2),
    ...link,
  });
  await signed("closed", {});
  await review("silent", { client_id: idOf("Nobody") }, link);
  const [cookie, ofTwo] = [await keyOf("open"), await keyOf("two")];
  await sql(
    `INSERT INTO feedback (id, organization_id, deliverable_id, version_number, kind, body, author_name,
       attribution, created_at)
     SELECT 'comment ' || value, ?, ?, 1, 'comment', 'Hello', 'Nora', 'link_only', '2026-03-01T11:00:00.000Z'
     FROM json_each(?)`,
    idOf("nord"),
    idOf("full"),
    JSON.stringify(Array.from({ length: 50 }, (_, index) => index)),
  );
  const form = { form_id: `0.${idOf("used form")}`, version_number: "1" };
  const comment = { ...form, kind: "comment", author_name: "Nora", body: "My <words>" };
  const consent = { ...form, signer_name: "Nora", consent: "on" };
  const file = new Approved("review/refusals");
  const add = (path: string, fields: Record<string, string>, options: Step[1] = {}) =>
    file.add(`/review/${path}`, { fields, only: ["alert"], ...options });
  await add("closed/feedback", comment);
  await add("closed/sign-off", consent);
  await add("two/feedback", comment);
  await add("two/sign-off", consent, { cookie: ofTwo, only: ["alert", "boxes"] });
  await add("full/feedback", comment);
  await add("draft/sign-off", consent);
  await add("silent/sign-off", consent);
  await add("silent/code", {});
  await add("open/feedback", comment);
  await add("open/feedback", { ...comment, body: "Others" }, { only: ["alert", "textarea"] });
  await add("open/feedback", { ...comment, body: "x".repeat(128 * 1024) });
  await say("open", "change_request", 5);
  await add("open/sign-off", consent, { cookie, only: ["alert", "boxes"] });
  vi.mocked(env.EMAIL.send).mockRejectedValueOnce(new Error("no"));
  await add("open/code", {});
  for (let mail = 0; mail < 5; mail += 1)
    await codeOf(`mail ${mail}`, {
      deliverable_id: idOf("open"),
      created_at: "2026-03-01T11:59:00.000Z",
      used_at: moment(1),
    });
  await add("open/code", {});
  await sql("UPDATE review_codes SET created_at = ?", moment(1));
  await sql(
    "INSERT INTO plans (name, api_access, requests_per_minute, mails_per_day) VALUES ('silent', 1, 60, 0)",
  );
  const onPlan = (plan: string) => sql("UPDATE organizations SET plan = ? WHERE id = ?", plan, idOf("nord"));
  await onPlan("silent");
  await add("open/code", {});
  await onPlan("agency");
  const asked = new Request<unknown, IncomingRequestCfProperties>(
    `${baseUrl}/review/${shareTokenOf("open")}/code`,
    {
      method: "POST",
    },
  );
  const limit = async () => ({ success: false });
  await add(
    "open/code",
    {},
    { answer: await worker.fetch(asked, { ...env, REVIEW_FORMS: { limit } }, createExecutionContext()) },
  );
  await file.isApproved();
});

it("renders the page that follows each form", async () => {
  await review("done", {}, link);
  const cookie = await keyOf("done");
  const form = { form_id: `0.${idOf("form that does its work")}`, version_number: "1" };
  const file = new Approved("review/done");
  await file.add("/review/done/feedback", {
    cookie,
    fields: { ...form, kind: "comment", author_name: "Nora", body: "Hello" },
  });
  await file.add("/review/done/sign-off", {
    cookie,
    fields: { ...form, signer_name: "Nora", consent: "on" },
  });
  await file.isApproved();
});

it("renders a signed-off deliverable and its certificate", async () => {
  const consent = "I have seen version 2 and accept it as it is.";
  const proved = {
    attribution: "mailed_code",
    consent,
    consent_version: 1,
    ip_address: "203.0.113.7",
    user_agent: "Test <browser>",
    version_number: 2,
  };
  await review("signed", { project_id: idOf("Relaunch") }, link, image);
  await signed("signed", proved);
  await review("recorded", {}, link);
  await signed("recorded", {});
  await review("erased", {}, link);
  await signed("erased", {
    attribution: "mailed_link",
    signer_name: "Erased",
    consent: "C",
    consent_version: 1,
    erased_at: "2026-02-25T08:00:00.000Z",
  });
  await approve(
    "review/signed-off",
    ["/review/signed"],
    ["/review/signed?version=1", { only: ["title block", "banner", "sign-off"] }],
    ["/review/recorded", { only: ["sign-off"] }],
    ["/review/erased", { only: ["sign-off"] }],
  );
  const cookie = await keyOf("signed");
  await approve(
    "review/certificate",
    ["/review/signed/certificate", { cookie }],
    ["/review/signed/certificate", { only: ["facts"] }],
  );
  await approve(
    "review/certificate-others",
    ["/review/recorded/certificate", { only: ["facts"] }],
    ["/review/erased/certificate", { only: ["facts"] }],
    ["/review/draft/certificate"],
  );
});

it("renders the sign-in pages", async () => {
  const back = "?return_to=%2Fsettings%2Fnord%2Ftokens";
  await approve(
    "review/sign-in",
    ["/sign-in"],
    [`/sign-in${back}`, { only: ["form"] }],
    ["/sign-in?return_to=https%3A%2F%2Fevil.example%2Fsettings%2Fx", { only: ["hidden"] }],
    ["/sign-in", { fields: { email: '"kim', return_to: "/settings/nord/tokens" }, only: ["form"] }],
    ["/sign-in", { fields: { email: "nobody@example.com", return_to: "/settings/nord/tokens" } }],
    ["/sign-in?sent"],
    [`/sign-in?sent&return_to=%2Fsettings%2Fnord%2Ftokens`, { only: ["paragraphs"] }],
  );
  for (const [token, return_path] of [
    ["link", null],
    ["link-back", "/settings/nord/tokens"],
  ] as const)
    await sql(
      `INSERT INTO sign_in_links (token_hash, email, expires_at, return_path)
        VALUES (?, 'olga@nord.example', '2099-01-31T09:30:00.000Z', ?)`,
      secretHash(secretOf(token)),
      return_path,
    );
  await approve(
    "review/sign-in-by-link",
    [`/sign-in/${secretOf("link")}`],
    [`/sign-in/${secretOf("link")}`, { fields: {} }],
    [`/sign-in/${secretOf("link-back")}`, { fields: {} }],
    [`/sign-in/${secretOf("link")}`],
    [`/sign-in/${secretOf("link")}`, { fields: {}, only: ["heading"] }],
    ["/sign-out"],
    ["/sign-out", { fields: {} }],
  );
});

it("renders pages with a single message", async () => {
  const asked = new Request<unknown, IncomingRequestCfProperties>(`${baseUrl}/sign-in`, { method: "POST" });
  const limit = async () => ({ success: false });
  const tooMany = await worker.fetch(asked, { ...env, REVIEW_FORMS: { limit } }, createExecutionContext());
  const opened = new Request<unknown, IncomingRequestCfProperties>(
    `${baseUrl}/review/${shareTokenOf("draft")}`,
  );
  const tooOften = await worker.fetch(
    opened,
    { ...env, REVIEW_READS_OF_ALL: { limit } },
    createExecutionContext(),
  );
  await approve(
    "review/messages",
    ["/review/nobody"],
    ["/review/draft?version=2", { only: ["heading"] }],
    ["/review/nobody/certificate", { only: ["heading"] }],
    ["/review/draft/versions/0x1/image", { only: ["heading"] }],
    ["/review/nobody/feedback", { fields: {}, only: ["heading"] }],
    ["/review/draft", { answer: tooOften }],
    ["/review/draft", { method: "HEAD", only: [] }],
    ["/review/draft", { method: "DELETE" }],
    ["/review/draft", { base: "http://api.example.com", only: ["heading"] }],
    [
      "/sign-in",
      {
        fields: {},
        headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
        only: ["heading"],
      },
    ],
    ["/sign-in", { method: "POST", headers: { "sec-fetch-site": "cross-site" }, only: ["heading"] }],
    ["/sign-in", { fields: { email: "x".repeat(64 * 1024) } }],
    ["/sign-in", { answer: tooMany, fields: {}, only: ["heading", "paragraphs"] }],
    ["/.well-known/jwks.json", { only: [] }],
  );
});

it("every approved file has a test", () => {
  expect(unused(Object.keys(import.meta.glob("./approved/review/*.html")))).toEqual([]);
});
