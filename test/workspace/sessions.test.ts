import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { signInLinkRows } from "../../scripts/local/sign-in-link.ts";
import { batch } from "../../src/db/query.ts";
import { sha256Hex } from "../../src/platform/digest.ts";
import { newSecret, secretHash } from "../../src/platform/secret.ts";
import { servicesOf } from "../../src/services.ts";
import worker from "../../src/worker.ts";
import { mailSignInLink } from "../../src/workspace/sessions/mail-sign-in-link.ts";
import { purgeSessions } from "../../src/workspace/sessions/purge-sessions.ts";
import { admin } from "../support/admin.ts";
import { type SentMail, watchMails } from "../support/mails.ts";
import { SettingsBrowser, signedIn } from "../support/settings.ts";
import { minute } from "../support/webhooks.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

let mails: SentMail[];
let here: Workspace;
beforeEach(async () => {
  mails = watchMails();
  here = await makeWorkspace();
});

const linksTo = (address: string) =>
  mails.filter(({ to }) => to === address).map(({ text }) => /^https:\S+$/m.exec(text)?.[0] ?? "none");

async function mailedLink(browser: SettingsBrowser, address: string, return_to = ""): Promise<string> {
  const before = linksTo(address).length;
  await browser.post("/sign-in", { email: address, return_to });
  await vi.waitFor(() => expect(linksTo(address).length).toBe(before + 1), 5_000);
  return new URL(linksTo(address).at(-1) ?? "").pathname;
}

/** Sends a link as the work after the response does, and waits until it is sent. */
const mailLink = (address: string, applicationUrl = env.APPLICATION_URL) =>
  mailSignInLink(servicesOf({ ...env, APPLICATION_URL: applicationUrl }), address, {
    return_path: null,
    form_id: null,
  });

const isIn = async (browser: SettingsBrowser): Promise<boolean> => {
  const answer = await browser.fetch("/settings");
  expect(answer.status).toBe(303);
  return answer.headers.get("location") !== "/sign-in";
};

const shift = (table: "sessions" | "sign_in_links", column: string, by: string, email: string) =>
  env.DB.prepare(
    `UPDATE ${table} SET ${column} = strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, ?) WHERE email = ?`,
  )
    .bind(by, email)
    .run();

const sessionsOf = async (email: string) =>
  (await env.DB.prepare("SELECT * FROM sessions WHERE email = ?").bind(email).all()).results;

describe("a sign-in link", () => {
  it("is sent to an admin, and its button signs in once [S2]", async () => {
    const browser = new SettingsBrowser();
    const link = await mailedLink(browser, here.ownerEmail);
    expect(linksTo(here.ownerEmail)[0]).toMatch(/^https:\/\/app\.example\.com\/sign-in\/[\w-]{43}$/);
    expect(mails.at(-1)?.subject).toBe("Sign in to Countersign");
    const page = await browser.read(link);
    expect(page).toContain(here.ownerEmail);
    expect(page).toMatch(/<button type="submit"[^>]*>Sign in<\/button>/);
    const answer = await browser.post(link);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/settings"]);
    expect(answer.headers.get("set-cookie")).toMatch(
      /^__Host-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(await isIn(browser)).toBe(true);
    const other = new SettingsBrowser();
    expect([(await other.post(link)).status, (await other.fetch(link)).status]).toEqual([404, 404]);
    expect(await isIn(other)).toBe(false);
  });

  it("is sent in the name of SERVICE_NAME, which the page and the documentation also show [S24]", async () => {
    const SERVICE_NAME = "Zeichen";
    const renamed = { ...env, SERVICE_NAME };
    const form = { return_path: null, form_id: null };
    await mailSignInLink(servicesOf(renamed), here.ownerEmail, form);
    const mail = mails.at(-1);
    expect([mail?.from.name, mail?.subject]).toEqual([SERVICE_NAME, `Sign in to ${SERVICE_NAME}`]);
    const texts = [mail?.text, mail?.html];
    for (const path of ["/sign-in", "/docs", "/llms.txt"]) {
      const request = new Request(`https://app.example.com${path}`);
      texts.push(await (await worker.fetch(request as never, renamed, createExecutionContext())).text());
    }
    for (const text of texts) {
      expect(text).toContain(SERVICE_NAME);
      expect(text).not.toMatch(/Countersign|Partner API/);
    }
  });

  it("is not used up by a mail scanner that opens it", async () => {
    const browser = new SettingsBrowser();
    const link = await mailedLink(browser, here.ownerEmail);
    const scanner = new SettingsBrowser();
    for (let times = 0; times < 3; times += 1) expect((await scanner.fetch(link)).status).toBe(200);
    expect([scanner.cookies.size, (await sessionsOf(here.ownerEmail)).length]).toEqual([0, 0]);
    expect((await browser.post(link)).status).toBe(303);
  });

  it("signs in only one of several concurrent visitors", async () => {
    const link = await mailedLink(new SettingsBrowser(), here.ownerEmail);
    const another = await mailedLink(new SettingsBrowser(), (await makeWorkspace()).ownerEmail);
    const browsers = [1, 2, 3].map(() => new SettingsBrowser());
    const answers = await Promise.all(browsers.map((browser) => browser.post(link)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404]);
    expect(await sessionsOf(here.ownerEmail)).toHaveLength(1);
    expect((await new SettingsBrowser().post(another)).status).toBe(303);
  });

  it("works for 15 minutes [S2]", async () => {
    const browser = new SettingsBrowser();
    const link = await mailedLink(browser, here.ownerEmail);
    await shift("sign_in_links", "expires_at", "-14 minutes", here.ownerEmail);
    expect((await browser.fetch(link)).status).toBe(200);
    await shift("sign_in_links", "expires_at", "-1 minutes", here.ownerEmail);
    expect([(await browser.fetch(link)).status, (await browser.post(link)).status]).toEqual([404, 404]);
  });

  it("is stored only as a digest, like a session", async () => {
    const browser = new SettingsBrowser();
    const link = await mailedLink(browser, here.ownerEmail);
    await browser.post(link);
    const secrets = [link.slice("/sign-in/".length), browser.cookies.get("__Host-session") ?? ""];
    const { results } = await env.DB.prepare(
      `SELECT token_hash FROM sign_in_links WHERE email = ?1 UNION ALL SELECT token_hash FROM sessions
        WHERE email = ?1`,
    )
      .bind(here.ownerEmail)
      .all();
    expect(results.map(({ token_hash }) => token_hash)).toEqual(secrets.map((secret) => sha256Hex(secret)));
  });

  it("is sent once for a form that is submitted twice within a minute", async () => {
    const form_id =
      /name="form_id" value="([^"]+)"/.exec(await new SettingsBrowser().read("/sign-in"))?.[1] ?? "none";
    const press = (email: string, form_id: string) =>
      mailSignInLink(servicesOf(env), email, { return_path: null, form_id });
    await Promise.all([press(here.ownerEmail, form_id), press(here.ownerEmail, form_id)]);
    await press(here.ownerEmail, form_id);
    expect(linksTo(here.ownerEmail)).toHaveLength(1);
    const colleague = `kim-${here.organizationId}@example.com`;
    await admin(here, "set-member", { email: colleague, role: "admin" });
    await press(colleague, form_id);
    expect(linksTo(colleague)).toHaveLength(1);
    await press(here.ownerEmail, crypto.randomUUID());
    expect(linksTo(here.ownerEmail)).toHaveLength(2);
    await shift("sign_in_links", "created_at", "-1 minutes", here.ownerEmail);
    await press(here.ownerEmail, form_id);
    expect(linksTo(here.ownerEmail)).toHaveLength(3);
  });

  it.each([crypto.randomUUID(), "of no form"])("is stored with the id of its form: %s", async (form_id) => {
    await new SettingsBrowser().post("/sign-in", { email: here.ownerEmail, form_id });
    await vi.waitFor(() => expect(linksTo(here.ownerEmail)).toHaveLength(1), 5_000);
    const rows = await env.DB.prepare("SELECT form_id FROM sign_in_links WHERE email = ?")
      .bind(here.ownerEmail)
      .all();
    expect(rows.results).toEqual([{ form_id: form_id === "of no form" ? null : form_id }]);
  });

  const age = async (minutes: number) => {
    for (const column of ["created_at", "expires_at"])
      await shift("sign_in_links", column, `-${minutes} minutes`, here.ownerEmail);
  };

  it("is one of at most 5 valid links per address in any case", async () => {
    for (let times = 0; times < 5; times += 1) await mailedLink(new SettingsBrowser(), here.ownerEmail);
    const more = await new SettingsBrowser().post("/sign-in", { email: here.ownerEmail.toUpperCase() });
    expect([more.status, more.headers.get("location")]).toEqual([303, "/sign-in?sent"]);
    await age(14);
    await mailLink(here.ownerEmail);
    expect(linksTo(here.ownerEmail)).toHaveLength(5);
    await age(1);
    await mailedLink(new SettingsBrowser(), here.ownerEmail);
    expect(linksTo(here.ownerEmail)).toHaveLength(6);
  });

  it("is sent at most every 5 minutes once the last 5 links have been used", async () => {
    for (let times = 0; times < 5; times += 1) await mailedLink(new SettingsBrowser(), here.ownerEmail);
    const use = () =>
      env.DB.prepare("UPDATE sign_in_links SET used_at = created_at WHERE email = ?")
        .bind(here.ownerEmail)
        .run();
    await use();
    await age(4);
    await mailLink(here.ownerEmail);
    expect(linksTo(here.ownerEmail)).toHaveLength(5);
    await age(1);
    for (let times = 0; times < 2; times += 1) await mailLink(here.ownerEmail);
    expect(linksTo(here.ownerEmail)).toHaveLength(6);
    await use();
    await mailLink(here.ownerEmail);
    expect(linksTo(here.ownerEmail)).toHaveLength(6);
    await age(5);
    await mailLink(here.ownerEmail);
    expect(linksTo(here.ownerEmail)).toHaveLength(7);
  });

  it("goes to the address in the longest-standing workspace's spelling", async () => {
    const address = `kim-${here.organizationId}@example.com`;
    const spelled = address.replace("kim", "Kim");
    const join = (organizationId: string, email: string, created_at: string) =>
      env.DB.prepare(
        "INSERT INTO members (id, organization_id, email, role, created_at) VALUES (?, ?, ?, 'admin', ?)",
      )
        .bind(crypto.randomUUID(), organizationId, email, created_at)
        .run();
    await join(here.organizationId, address.replace("kim", "KIM"), "2026-02-01T00:00:00.000Z");
    await join((await makeWorkspace()).organizationId, spelled, "2026-01-01T00:00:00.000Z");
    await mailLink(address, "https://app.example.com//");
    expect(linksTo(spelled)).toEqual([
      expect.stringMatching(/^https:\/\/app\.example\.com\/sign-in\/[\w-]+$/),
    ]);
  });

  it("does not work for a person who is not an admin anywhere", async () => {
    const ofNobody = newSecret();
    await env.DB.prepare(
      `INSERT INTO sign_in_links (token_hash, email, expires_at)
        VALUES (?, 'nobody@example.com', '2099-01-01T00:00:00.000Z')`,
    )
      .bind(sha256Hex(ofNobody))
      .run();
    const browser = new SettingsBrowser();
    const answers = [await browser.fetch(`/sign-in/${ofNobody}`), await browser.post(`/sign-in/${ofNobody}`)];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });

  it("is not counted if it cannot be sent", async () => {
    const other = await makeWorkspace();
    const link = await mailedLink(new SettingsBrowser(), other.ownerEmail);
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    vi.spyOn(env.EMAIL, "send").mockRejectedValueOnce(new Error("down"));
    await new SettingsBrowser().post("/sign-in", { email: here.ownerEmail });
    const left = () => env.DB.prepare("SELECT count(*) AS n FROM sign_in_links WHERE email = ?");
    await vi.waitFor(() => expect(logged).toHaveBeenCalled(), 5_000);
    await vi.waitFor(async () => expect(await left().bind(here.ownerEmail).first("n")).toBe(0), 5_000);
    expect((await new SettingsBrowser().post(link)).headers.get("location")).toMatch(/^\/settings/);
  });
});

describe("a visitor after signing in", () => {
  const askedFor = "/settings/studio/deliveries?status=dead&since=2026-01-31T09%3A00";

  it("opens the requested page in any browser", async () => {
    const browser = new SettingsBrowser();
    const asked = await browser.fetch(askedFor);
    const signIn = asked.headers.get("location") ?? "";
    expect([asked.status, signIn]).toEqual([303, `/sign-in?return_to=${encodeURIComponent(askedFor)}`]);
    const [, hidden = ""] = /name="return_to" value="([^"]+)"/.exec(await browser.read(signIn)) ?? [];
    const return_to = hidden.replaceAll("&amp;", "&");
    expect(return_to).toBe(askedFor);
    const sent = await browser.post("/sign-in", { email: here.ownerEmail, return_to });
    expect(sent.headers.get("location")).toBe(`/sign-in?sent&return_to=${encodeURIComponent(askedFor)}`);
    expect(await browser.read(sent.headers.get("location") ?? "")).toContain(`href="${signIn}"`);
    await vi.waitFor(() => expect(linksTo(here.ownerEmail)).toHaveLength(1), 5_000);
    expect(JSON.stringify(mails)).not.toContain("studio");
    const other = new SettingsBrowser();
    const answer = await other.post(new URL(linksTo(here.ownerEmail)[0] ?? "").pathname);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, askedFor]);
  });

  it("redirects from /sign-in to the settings", async () => {
    const browser = new SettingsBrowser();
    await browser.post(await mailedLink(browser, here.ownerEmail));
    const page = await browser.read(`/sign-in?return_to=${encodeURIComponent(askedFor)}`);
    expect(page).toContain(`You are signed in as <strong>${here.ownerEmail}</strong>`);
    expect(page).toContain(`href="${askedFor.replace("&", "&amp;")}"`);
    expect(page).not.toContain('name="email"');
  });

  it("opens a page with an address of 1,000 characters", async () => {
    const browser = new SettingsBrowser();
    const longest = `/settings/${"x".repeat(990)}`;
    const answer = await browser.post(await mailedLink(browser, here.ownerEmail, longest));
    expect(answer.headers.get("location")).toBe(longest);
  });

  it.each([
    "https://evil.example/settings/x",
    "//evil.example/settings/x",
    "/\\evil.example/settings/x",
    "\\\\evil.example/settings/x",
    "/\t/evil.example/settings/x",
    "javascript:alert(1)//settings/x",
    "/settings/../sign-out",
    "/settings/%2e%2e/review/x",
    "/settings@evil.example",
    "/settings",
    "/review/x",
    `/settings/${"x".repeat(991)}`,
  ])("goes to the start of the settings for %j", async (return_to) => {
    const browser = new SettingsBrowser();
    const page = await browser.read(`/sign-in?return_to=${encodeURIComponent(return_to)}`);
    expect(page).not.toContain("return_to");
    const answer = await browser.post(await mailedLink(browser, here.ownerEmail, return_to));
    expect(answer.headers.get("location")).toBe("/settings");
  });

  it("returns to the section of a form that was submitted after the session ended", async () => {
    const late = await new SettingsBrowser().post("/settings/studio/webhooks/1/enable");
    expect(await late.text()).toContain('href="/sign-in?return_to=%2Fsettings%2Fstudio%2Fwebhooks"');
  });
});

describe("the response to a request for a sign-in link", () => {
  it("is the same for every address, but only owners and admins get an e-mail [S1]", async () => {
    const addresses = { owner: here.ownerEmail, admin: "", member: "", none: "", nobody: "" };
    for (const role of ["admin", "member", "none"] as const) {
      addresses[role] = `${role}-${here.organizationId}@example.com`;
      await admin(here, "set-member", { email: addresses[role], role });
    }
    addresses.nobody = `nobody-${here.organizationId}@example.com`;
    const answers = [];
    for (const email of Object.values(addresses)) {
      const answer = await new SettingsBrowser().post("/sign-in", { email });
      const headers = Object.fromEntries(answer.headers);
      delete headers["x-request-id"];
      // Only the total time may differ, because the response does not wait for the database.
      headers["server-timing"] = headers["server-timing"]?.replace(/total;dur=\d+/, "total") ?? "";
      answers.push({ status: answer.status, headers, body: await answer.text() });
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    await vi.waitFor(() => expect(mails).toHaveLength(2), 5_000);
    expect(mails.map(({ to }) => to).sort()).toEqual([addresses.owner, addresses.admin].sort());
  });

  it("does not wait for the lookup or the e-mail", async () => {
    let finish: (value: EmailSendResult) => void = () => {};
    const sending = new Promise<EmailSendResult>((resolve) => {
      finish = resolve;
    });
    const send = vi.spyOn(env.EMAIL, "send").mockReturnValueOnce(sending);
    const answer = await new SettingsBrowser().post("/sign-in", { email: here.ownerEmail });
    expect(answer.status).toBe(303);
    await vi.waitFor(() => expect(send).toHaveBeenCalled(), 5_000);
    finish({ messageId: "1" });
  });

  it("is a 429 for too many requests and a 413 for an oversized form", async () => {
    const limit = vi.fn(async (_: { key: string }) => ({ success: false }));
    const asking = new Request<unknown, IncomingRequestCfProperties>("https://api.example.com/sign-in", {
      method: "POST",
      headers: { "cf-connecting-ip": "203.0.113.9" },
      body: new URLSearchParams({ email: here.ownerEmail }),
    });
    const bindings = { ...env, REVIEW_FORMS: { limit } };
    expect((await worker.fetch(asking, bindings, createExecutionContext())).status).toBe(429);
    expect(limit.mock.calls).toEqual([[{ key: "sign-in 203.0.113.9" }]]);
    const long = await new SettingsBrowser().post("/sign-in", { email: "x".repeat(64 * 1024) });
    expect(long.status).toBe(413);
  });

  it("explains an invalid address", async () => {
    const answer = await new SettingsBrowser().post("/sign-in", { email: 'kim"' });
    const page = await answer.text();
    expect([answer.status, page]).toEqual([400, expect.stringContaining("Enter an e-mail address")]);
    expect(page).toMatch(/<input id="email"[^>]* value="kim&quot;"/);
  });
});

describe("a session", () => {
  it("ends after 12 hours without a request, and after 30 days in any case [S3]", async () => {
    const browser = await signedIn(here.ownerEmail);
    await shift("sessions", "last_used_at", "-11 hours", here.ownerEmail);
    expect(await isIn(browser)).toBe(true);
    await shift("sessions", "last_used_at", "-11 hours", here.ownerEmail);
    expect(await isIn(browser)).toBe(true);
    await shift("sessions", "last_used_at", "-12 hours", here.ownerEmail);
    expect(await isIn(browser)).toBe(false);
    const another = await signedIn(here.ownerEmail);
    await shift("sessions", "expires_at", "-1 day", here.ownerEmail);
    expect(await isIn(another)).toBe(false);
  });

  it("records the time of its last use to the nearest 5 minutes", async () => {
    const browser = await signedIn(here.ownerEmail);
    const lastUse = async () => String((await sessionsOf(here.ownerEmail))[0]?.last_used_at);
    await shift("sessions", "last_used_at", "-4 minutes", here.ownerEmail);
    const before = await lastUse();
    expect([await isIn(browser), await lastUse()]).toEqual([true, before]);
    await shift("sessions", "last_used_at", "-2 minutes", here.ownerEmail);
    expect(await isIn(browser)).toBe(true);
    expect(Date.parse(await lastUse())).toBeGreaterThan(Date.parse(before) + 3 * 60_000);
  });

  it("lists its workspaces by name and id", async () => {
    const workspaces = [here, await makeWorkspace(), await makeWorkspace(), await makeWorkspace()];
    const email = `kim-${here.organizationId}@example.com`;
    const ids = workspaces.map(({ organizationId }) => organizationId).sort();
    for (const [index, organizationId] of ids.toReversed().entries()) {
      await admin({ organizationId }, "set-member", { email, role: "admin" });
      const name = index === 0 ? "Alder" : "Birch";
      await env.DB.prepare("UPDATE organizations SET name = ? WHERE id = ?").bind(name, organizationId).run();
    }
    const page = await (await signedIn(email)).read("/settings");
    const listed = [...page.matchAll(/href="\/settings\/org-([^/"]+)"/g)].map(([, id]) => id);
    expect(listed).toEqual([ids.at(-1), ...ids.slice(0, -1)]);
  });

  it("is stored with an expiry after 30 days", async () => {
    const browser = new SettingsBrowser();
    await browser.post(await mailedLink(browser, here.ownerEmail));
    const [{ created_at, expires_at } = {}] = await sessionsOf(here.ownerEmail);
    const days = (Date.parse(String(expires_at)) - Date.parse(String(created_at))) / 86_400_000;
    expect(days).toBeCloseTo(30, 3);
  });

  it.each([
    ["a demoted admin", "admin", "UPDATE members SET role = 'member' WHERE email = ?"],
    ["a demoted owner", "owner", "UPDATE members SET role = 'member' WHERE email = ?"],
    ["a deleted member", "admin", "DELETE FROM members WHERE email = ?"],
    ["a member with a changed address", "admin", "UPDATE members SET email = 'x' || email WHERE email = ?"],
  ])("ends for good at the next request of %s", async (_, role, sql) => {
    const email = `kim-${here.organizationId}@example.com`;
    await admin(here, "set-member", { email, role });
    const browser = await signedIn(email);
    const link = await mailedLink(new SettingsBrowser(), email);
    expect(await isIn(browser)).toBe(true);
    await env.DB.prepare(sql).bind(email).run();
    expect(await isIn(browser)).toBe(false);
    expect((await browser.post(link)).status).toBe(404);
    await admin(here, "set-member", { email, role: "admin" });
    expect([await isIn(browser), (await browser.post(link)).status]).toEqual([false, 404]);
  });

  it("stays valid in the other workspaces of an admin who loses access to one", async () => {
    const there = await makeWorkspace();
    const email = `kim-${here.organizationId}@example.com`;
    for (const workspace of [here, there]) await admin(workspace, "set-member", { email, role: "admin" });
    const browser = await signedIn(email);
    expect(await browser.read("/settings")).toContain("Choose a workspace");
    const link = await mailedLink(new SettingsBrowser(), email);
    await admin(here, "set-member", { email, role: "none" });
    const answer = await browser.fetch("/settings");
    expect(answer.headers.get("location")).toBe(`/settings/org-${there.organizationId}`);
    expect((await new SettingsBrowser().post(link)).status).toBe(303);
  });

  it("has a new secret at each sign-in, and the previous session ends", async () => {
    const browser = new SettingsBrowser();
    browser.cookies.set("__Host-session", "planted-by-somebody");
    await browser.post(await mailedLink(browser, here.ownerEmail));
    const first = browser.cookies.get("__Host-session") ?? "";
    expect(first).not.toBe("planted-by-somebody");
    await browser.post(await mailedLink(browser, here.ownerEmail));
    const thief = new SettingsBrowser();
    thief.cookies.set("__Host-session", first);
    expect([await isIn(browser), await isIn(thief)]).toEqual([true, false]);
  });

  it("survives a second submit of the sign-in button", async () => {
    const browser = new SettingsBrowser();
    const link = await mailedLink(browser, here.ownerEmail, "/settings/x/plan");
    const answers = [await browser.post(link), await browser.post(link)];
    for (const { status, headers } of answers)
      expect([status, headers.get("location")]).toEqual([303, "/settings/x/plan"]);
    expect(await isIn(browser)).toBe(true);
    const other = await signedIn((await makeWorkspace()).ownerEmail);
    expect((await other.post(link)).status).toBe(404);
    expect([await isIn(browser), await isIn(other)]).toEqual([true, true]);
  });

  it("ends for every copy of its cookie when the visitor signs out", async () => {
    const browser = await signedIn(here.ownerEmail);
    const elsewhere = await signedIn((await makeWorkspace()).ownerEmail);
    const thief = new SettingsBrowser();
    thief.cookies.set("__Host-session", browser.cookies.get("__Host-session") ?? "");
    expect((await browser.fetch("/sign-out")).status).toBe(200);
    expect(await isIn(browser)).toBe(true);
    const { headers } = await browser.post("/sign-out");
    expect(headers.get("location")).toBe("/sign-in");
    expect(headers.get("set-cookie")).toBe(
      "__Host-session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax",
    );
    expect([browser.cookies.size, await isIn(thief), await isIn(elsewhere)]).toEqual([0, false, true]);
  });

  it("is not accepted from a cookie without the __Host- prefix over HTTPS", async () => {
    const browser = await signedIn(here.ownerEmail);
    browser.cookies.set("session", browser.cookies.get("__Host-session") ?? "");
    browser.cookies.delete("__Host-session");
    expect(await isIn(browser)).toBe(false);
  });

  it("is deleted once it has expired, like a sign-in link", async () => {
    const browser = await signedIn(here.ownerEmail);
    await mailedLink(browser, here.ownerEmail);
    await purgeSessions(env.DB);
    expect(await isIn(browser)).toBe(true);
    const left = async () => {
      await minute();
      const kept = `SELECT email FROM sessions WHERE email = ?1
        UNION ALL SELECT email FROM sign_in_links WHERE email = ?1`;
      return (await env.DB.prepare(kept).bind(here.ownerEmail).all()).results.length;
    };
    await shift("sessions", "last_used_at", "-11 hours", here.ownerEmail);
    await shift("sign_in_links", "expires_at", "-24 hours", here.ownerEmail);
    expect(await left()).toBe(2);
    await shift("sessions", "last_used_at", "-1 hours", here.ownerEmail);
    await shift("sign_in_links", "expires_at", "-1 hours", here.ownerEmail);
    expect(await left()).toBe(0);
  });

  it("is deleted in batches of 500, like a sign-in link", async () => {
    for (const [table, time] of [
      ["sessions", "last_used_at"],
      ["sign_in_links", "created_at"],
    ])
      await env.DB.prepare(
        `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 501)
          INSERT INTO ${table} (token_hash, email, ${time}, expires_at)
          SELECT n, 'many@example.com', '2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z' FROM number`,
      ).run();
    await purgeSessions(env.DB);
    for (const table of ["sessions", "sign_in_links"])
      expect(
        await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE email = 'many@example.com'`).first(
          "n",
        ),
      ).toBe(1);
  });
});

describe("another site", () => {
  it.each([
    [{ origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
    [{ origin: "null", "sec-fetch-site": "cross-site" }],
    [{ origin: "https://evil.api.example.com", "sec-fetch-site": "same-site" }],
  ])("with %o cannot submit a form", async (headers) => {
    const browser = await signedIn(here.ownerEmail);
    expect((await browser.post("/sign-out", {}, headers)).status).toBe(403);
    expect((await browser.post("/sign-in", { email: here.ownerEmail }, headers)).status).toBe(403);
    const link = await mailedLink(new SettingsBrowser(), here.ownerEmail);
    expect((await new SettingsBrowser().post(link, {}, headers)).status).toBe(403);
    expect(await isIn(browser)).toBe(true);
    expect(mails).toHaveLength(1);
  });

  it("cannot frame, cache or index a page", async () => {
    for (const path of ["/sign-in", "/sign-out", "/sign-in/none"]) {
      const answer = await new SettingsBrowser().fetch(path);
      const { headers } = answer;
      expect(await answer.text()).toContain('<meta name="robots" content="noindex, nofollow"/>');
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cache-control")).toBe("private, no-store");
      expect(headers.get("x-robots-tag")).toContain("noindex");
    }
  });
});

it("the link from npm start signs in the owner for a day and replaces the previous link", async () => {
  const slug = `org-${here.organizationId}`;
  const [before, link] = [newSecret(), newSecret()];
  for (const each of [before, link]) await batch(env.DB, signInLinkRows(slug, secretHash(each)));
  const { results } = await env.DB.prepare(
    "SELECT token_hash, unixepoch(expires_at) - unixepoch() AS seconds FROM sign_in_links WHERE email = ?",
  )
    .bind(here.ownerEmail)
    .all<{ token_hash: string; seconds: number }>();
  expect(results.map(({ token_hash }) => token_hash)).toEqual([secretHash(link)]);
  // The test's statements run at most seconds apart.
  expect(results.map(({ seconds }) => Math.round(seconds / 3_600))).toEqual([24]);
});
