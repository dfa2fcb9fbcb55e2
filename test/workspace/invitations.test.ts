import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { newSecret, secretHash } from "../../src/platform/secret.ts";
import { servicesOf } from "../../src/services.ts";
import { purgeInvitations } from "../../src/workspace/members/purge-invitations.ts";
import { sendWaitingInvitations } from "../../src/workspace/members/send-waiting-invitations.ts";
import { admin, refusal } from "../support/admin.ts";
import { insert, sql } from "../support/filled-workspace.ts";
import { type SentMail, watchMails } from "../support/mails.ts";
import { restoreDatabase, setTripOutcomes } from "../support/outages.ts";
import { countRows } from "../support/review.ts";
import { ownerAtHome, SettingsBrowser, signedIn } from "../support/settings.ts";
import type { Workspace } from "../support/workspace.ts";

let home: Awaited<ReturnType<typeof ownerAtHome>>;
let mails: SentMail[];
beforeEach(async () => {
  home = await ownerAtHome();
  mails = watchMails();
});

const anAddress = () => `kim-${crypto.randomUUID()}@example.com`;
const invite = (email: string, role = "admin", more = {}) =>
  home.browser.rpc("set_member", { email, role, ...more });
const pathIn = (mail?: SentMail) => new URL(/^https:\S+$/m.exec(mail?.text ?? "")?.[0] ?? "").pathname;
const mailedPath = () => pathIn(mails.at(-1));
/** The pattern of the workspace's invitation links. */
const ownLink = async () => {
  const { organizationId } = home.here;
  const [found] = await sql<{ link_prefix: string }>(
    "SELECT link_prefix FROM organizations WHERE id = ?",
    organizationId,
  );
  return new RegExp(`^/invitations/${found?.link_prefix}[\\w-]{35}$`);
};
const people = ({ organizationId }: Workspace) =>
  admin<{ email: string; role: string; status: string }[]>({ organizationId }, "list-members");
const statusOf = async (email: string) =>
  (await people(home.here)).find((one) => one.email === email)?.status;
const actions = async () =>
  (await admin<{ action: string }[]>(home.here, "audit-log")).map(({ action }) => action);
const accept = (path: string, browser = new SettingsBrowser()) => browser.post(path);

describe("an invitation", () => {
  it("does not grant access until it is accepted [S14]", async () => {
    const email = anAddress();
    const invited = await invite(email, "admin", { name: "Kim" });
    expect([invited.status, invited.body]).toMatchObject([
      200,
      { email, name: "Kim", role: "admin", status: "invited" },
    ]);
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([[email, "Invitation to Test studio"]]);
    expect(mails[0]?.text).toContain(home.here.ownerEmail);
    expect((await (await signedIn(email)).rpc("list_members")).status).toBe(401);
    expect(await refusal(home.here, "list-members", { actor: email })).toMatchObject({
      message: "Only organization admins can list members",
    });
    await new SettingsBrowser().post("/sign-in", { email });
    expect(mails).toHaveLength(1);
  });

  it("does not affect the calls of another workspace's admin", async () => {
    const other = await ownerAtHome();
    expect((await invite(other.here.ownerEmail)).status).toBe(200);
    expect((await other.browser.rpc("list_api_tokens")).status).toBe(200);
    await accept(mailedPath());
    expect(await other.browser.rpc("list_api_tokens")).toMatchObject({
      status: 400,
      body: { message: "organization is required (slug or id)" },
    });
  });

  it("is accepted with a button, without signing in, but not by opening the link [S15]", async () => {
    const email = anAddress();
    await invite(email);
    const path = mailedPath();
    const page = await new SettingsBrowser().read(path);
    expect(page).toContain("Accept invitation");
    expect(page).toContain(email);
    expect(await statusOf(email)).toBe("invited");
    const accepted = await accept(path);
    expect([accepted.status, accepted.headers.get("location"), accepted.headers.get("set-cookie")]).toEqual([
      303,
      home.base,
      null,
    ]);
    expect(await statusOf(email)).toBe("active");
    expect((await (await signedIn(email)).rpc("list_members")).status).toBe(200);
    expect((await actions()).slice(0, 2)).toEqual(["member.joined", "member.invited"]);
  });

  it("has a link that begins with the workspace's prefix [X5]", async () => {
    const email = anAddress();
    await invite(email);
    expect(mailedPath()).toMatch(await ownLink());
    const before = newSecret();
    await sql("UPDATE invitations SET token_hash = ? WHERE email = ?", secretHash(before), email);
    expect((await accept(`/invitations/${before}`)).status).toBe(303);
  });

  it("does not take a member without admin rights to the settings", async () => {
    await invite(anAddress(), "member");
    const accepted = await accept(mailedPath());
    expect([accepted.status, await accepted.text()]).toEqual([
      200,
      expect.stringContaining("You have joined"),
    ]);
  });

  it("is accepted only once, but a second submit within a minute gets the same response [S15]", async () => {
    const email = anAddress();
    await invite(email);
    const path = mailedPath();
    const both = await Promise.all([accept(path), accept(path)]);
    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    expect((await actions()).filter((action) => action === "member.joined")).toHaveLength(1);
    await admin(home.here, "set-member", { email, role: "member" });
    await sql("UPDATE invitations SET accepted_at = '2026-01-01T00:00:00.000Z' WHERE email = ?", email);
    expect((await accept(path)).status).toBe(404);
    expect(await people(home.here)).toMatchObject([{ email, role: "member" }, {}]);
  });

  it.each([
    ["expired", "UPDATE invitations SET expires_at = '2026-01-01T00:00:00.000Z' WHERE email = ?1"],
    [
      "from a person who may no longer invite",
      "UPDATE invitations SET role = 'owner', created_by = ?2 WHERE email = ?1",
    ],
  ])("cannot be accepted and is not listed if it is %s", async (_, change) => {
    const email = anAddress();
    await invite(email);
    const another = await admin<{ id: string }>(home.here, "set-member", {
      email: anAddress(),
      role: "admin",
    });
    await env.DB.prepare(change)
      .bind(email, ...(change.includes("?2") ? [another.id] : []))
      .run();
    const path = mailedPath();
    for (const answer of [await new SettingsBrowser().fetch(path), await accept(path)])
      expect([answer.status, await answer.text()]).toEqual([
        404,
        expect.stringContaining("This invitation does not work"),
      ]);
    expect(await statusOf(email)).toBeUndefined();
  });

  it("returns 404 without a round trip for a malformed link", async () => {
    const batch = vi.spyOn(env.DB, "batch");
    expect((await new SettingsBrowser().fetch("/invitations/short")).status).toBe(404);
    expect(batch).not.toHaveBeenCalled();
    expect((await new SettingsBrowser().fetch("/invitations")).status).toBe(404);
  });

  it("has a new link when it is sent again, and the previous link stops working", async () => {
    const email = anAddress();
    await invite(email);
    const before = mailedPath();
    expect((await invite(email.toUpperCase(), "member")).body).toMatchObject({
      role: "member",
      status: "invited",
    });
    expect((await accept(before)).status).toBe(404);
    expect((await accept(mailedPath())).status).toBe(200);
    expect(await people(home.here)).toMatchObject([{ role: "member", status: "active" }, {}]);
  });

  it("is sent at most 5 times per day from one workspace to one address [N3]", async () => {
    const email = anAddress();
    const other = await ownerAtHome();
    const elsewhere = async () => (await other.browser.rpc("set_member", { email, role: "admin" })).status;
    for (let count = 0; count < 5; count += 1) expect((await invite(email)).status).toBe(200);
    const refused = await invite(email);
    expect([refused.status, refused.body.message]).toEqual([
      429,
      "A workspace can send at most 5 invitations a day to the same address",
    ]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await elsewhere()).toBe(200);
    expect(mails).toHaveLength(6);
    expect((await accept(mailedPath())).status).toBe(303);
  });

  it("waits until the next day if its address has had 20 that day, without telling the workspaces [N3]", async () => {
    const email = anAddress();
    const nextDay = async () => {
      await sql("UPDATE mail_counts SET day = date(day, '-1 day') WHERE address = ?", email);
      await sql(
        "UPDATE invitations SET mail_due_at = '2026-01-01' WHERE email = ? AND mail_due_at IS NOT NULL",
        email,
      );
      await sendWaitingInvitations(servicesOf(env));
    };
    await sql(
      `INSERT INTO mail_counts (day, organization_id, address, invitations_mailed) VALUES (date('now'), ?, ?, 18)`,
      (await ownerAtHome()).here.organizationId,
      email,
    );
    expect((await invite(email)).status).toBe(200);
    const mailed = await invite(email);
    const other = await ownerAtHome();
    const waiting = await invite(email);
    const elsewhere = await other.browser.rpc("set_member", { email, role: "member" });
    expect([mailed.status, waiting.status, elsewhere.status]).toEqual([200, 200, 200]);
    expect(Object.keys(waiting.body)).toEqual(Object.keys(mailed.body));
    await sendWaitingInvitations(servicesOf(env));
    expect(mails).toHaveLength(2);
    expect(await statusOf(email)).toBe("invited");
    await nextDay();
    expect(mails).toHaveLength(4);
    expect(mails.slice(2).map(pathIn)).toContainEqual(expect.stringMatching(await ownLink()));
    expect((await accept(mailedPath())).status).toBe(200);
    await sendWaitingInvitations(servicesOf(env));
    expect(mails).toHaveLength(4);
    expect(
      await sql(
        "SELECT total(invitations_mailed) AS mailed FROM mail_counts WHERE address = ? AND day > '2'",
        email,
      ),
    ).toEqual([{ mailed: 22 }]);
  });

  it("leaves an earlier link valid until its e-mail is sent, if it must wait until the next day [S15]", async () => {
    const email = anAddress();
    const count = (mailed: number) =>
      sql("UPDATE mail_counts SET invitations_mailed = ? WHERE address = ?", mailed, email);
    const open = async (path: string) => (await new SettingsBrowser().fetch(path)).status;
    await invite(email, "member");
    const earlier = mailedPath();
    await count(20);
    expect((await invite(email, "admin")).body).toMatchObject({ role: "admin", status: "invited" });
    expect(mails).toHaveLength(1);
    expect(await open(earlier)).toBe(200);
    await count(0);
    await sql("UPDATE invitations SET mail_due_at = '2026-01-01' WHERE email = ?", email);
    vi.spyOn(env.EMAIL, "send").mockRejectedValueOnce(new Error("E_TEMPORARY"));
    await expect(sendWaitingInvitations(servicesOf(env))).rejects.toThrow();
    expect(await open(earlier)).toBe(200);
    await sql("UPDATE invitations SET mail_due_at = '2026-01-01' WHERE email = ?", email);
    await sendWaitingInvitations(servicesOf(env));
    expect(mails).toHaveLength(2);
    expect([await open(earlier), await open(mailedPath())]).toEqual([404, 200]);
    expect((await accept(mailedPath())).status).toBe(303);
  });

  it.each(["accepted", "expired"])(
    "that must wait does not revive an earlier link that is %s",
    async (how) => {
      const email = anAddress();
      await invite(email, "member");
      const earlier = mailedPath();
      if (how === "accepted") {
        await accept(earlier);
        await admin(home.here, "set-member", { email, role: "none" });
      } else await sql("UPDATE invitations SET expires_at = '2026-01-01' WHERE email = ?", email);
      await sql("UPDATE mail_counts SET invitations_mailed = 20 WHERE address = ?", email);
      expect((await invite(email, "member")).body).toMatchObject({ status: "invited" });
      expect(mails).toHaveLength(1);
      expect((await accept(earlier)).status).toBe(404);
    },
  );

  it("is sent before newer ones if it is waiting, even if its e-mail has failed once", async () => {
    const email = anAddress();
    const first = await ownerAtHome();
    await sql(
      `INSERT INTO mail_counts (day, organization_id, address, invitations_mailed) VALUES (date('now'), ?, ?, 20)`,
      first.here.organizationId,
      email,
    );
    await first.browser.rpc("set_member", { email, role: "admin" });
    await sql("UPDATE mail_counts SET invitations_mailed = 0 WHERE address = ?", email);
    expect((await invite(email)).status).toBe(200);
    expect(mails).toHaveLength(0);
    vi.spyOn(env.EMAIL, "send").mockRejectedValueOnce(new Error("E_TEMPORARY"));
    await expect(sendWaitingInvitations(servicesOf(env))).rejects.toThrow();
    await sql(
      "UPDATE invitations SET mail_due_at = '2026-01-01' WHERE email = ? AND waits_since IS NOT NULL",
      email,
    );
    await sendWaitingInvitations(servicesOf(env));
    expect(await sql("SELECT 1 FROM invitations WHERE email = ? AND waits_since IS NOT NULL", email)).toEqual(
      [],
    );
  });

  it("counts toward the workspace's daily e-mail limit", async () => {
    await sql(
      "INSERT INTO mail_counts (day, organization_id, address, mails) VALUES (date('now'), ?, '', 2000)",
      home.here.organizationId,
    );
    expect(await invite(anAddress())).toMatchObject({
      status: 429,
      body: { message: "Your plan's daily e-mail limit is reached" },
    });
    expect(await countRows("invitations", home.here)).toBe(0);
  });

  it("is not stored or counted if it cannot be sent", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    vi.spyOn(env.EMAIL, "send").mockRejectedValueOnce(new Error("E_TEMPORARY"));
    const email = anAddress();
    expect(await invite(email)).toMatchObject({
      status: 502,
      body: { message: "The invitation could not be sent" },
    });
    expect(await statusOf(email)).toBeUndefined();
    expect(
      await sql(
        "SELECT address, mails, invitations FROM mail_counts WHERE organization_id = ? ORDER BY address",
        home.here.organizationId,
      ),
    ).toEqual([
      { address: "", mails: 0, invitations: 0 },
      { address: email, mails: 0, invitations: 0 },
    ]);
  });

  it("leaves the earlier invitation as it was if it cannot be sent [S15]", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const email = anAddress();
    await invite(email, "member", { name: "Kim" });
    const [invited] = await people(home.here);
    const counts = () =>
      sql(
        "SELECT address, mails, invitations, invitations_mailed FROM mail_counts WHERE organization_id = ?",
        home.here.organizationId,
      );
    const counted = await counts();
    vi.spyOn(env.EMAIL, "send").mockRejectedValueOnce(new Error("E_TEMPORARY"));
    expect((await invite(email, "admin", { name: "Kim Two" })).status).toBe(502);
    expect(await counts()).toEqual(counted);
    expect((await people(home.here))[0]).toEqual({ ...invited, updated_at: expect.any(String) });
    expect((await accept(mailedPath())).status).toBe(200);
    expect(await people(home.here)).toMatchObject([{ email, role: "member", name: "Kim" }, {}]);
  });

  it.each([
    ["before its e-mail is sent", false],
    ["after its e-mail is sent", true],
  ])("keeps every link that may have been e-mailed if the Worker dies %s [S15]", async (_, isSent) => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const email = anAddress();
    const open = async (path: string) => (await new SettingsBrowser().fetch(path)).status;
    await invite(email, "member");
    const earlier = mailedPath();
    vi.mocked(env.EMAIL.send).mockImplementationOnce(async (mail) => {
      setTripOutcomes(() => "lost");
      if (!isSent) throw new Error("E_TEMPORARY");
      mails.push(Object.assign({} as SentMail, mail));
      return { messageId: "1" };
    });
    await invite(email, "member");
    restoreDatabase();
    expect([await open(earlier), await open(mailedPath())]).toEqual([200, 200]);
    const unsure = mailedPath();
    expect((await invite(email, "member")).status).toBe(200);
    expect([await open(earlier), await open(unsure), await open(mailedPath())]).toEqual([404, 404, 200]);
    expect((await accept(mailedPath())).status).toBe(200);
  });

  it("is withdrawn when the role is set to none", async () => {
    const email = anAddress();
    await invite(email);
    expect((await invite(email, "none")).body).toMatchObject({ email, role: "none", status: "left" });
    expect((await accept(mailedPath())).status).toBe(404);
    expect(await statusOf(email)).toBeUndefined();
    expect((await actions())[0]).toBe("member.uninvited");
    expect(await invite(email, "none")).toMatchObject({
      status: 404,
      body: { message: `There is no member ${email} in this workspace` },
    });
  });

  it("can only be sent, changed or withdrawn by an owner if it is for the role of owner", async () => {
    const [email, colleague] = [anAddress(), anAddress()];
    await admin(home.here, "set-member", { email: colleague, role: "admin" });
    const kim = await signedIn(colleague);
    const refused = { status: 403, body: { message: "Only owners can change owners" } };
    expect(await kim.rpc("set_member", { email, role: "owner" })).toMatchObject(refused);
    await invite(email, "owner");
    for (const role of ["admin", "none"])
      expect(await kim.rpc("set_member", { email, role })).toMatchObject(refused);
    expect(await statusOf(email)).toBe("invited");
  });

  it("can be replaced by an admin, even if its role is owner, once its inviter can no longer assign the role [S15]", async () => {
    const [email, colleague] = [anAddress(), anAddress()];
    await admin(home.here, "set-member", { email: colleague, role: "owner" });
    const kim = await signedIn(colleague);
    expect((await kim.rpc("set_member", { email, role: "owner" })).status).toBe(200);
    const before = mailedPath();
    await admin(home.here, "set-member", { email: colleague, role: "admin" });
    expect((await accept(before)).status).toBe(404);
    expect(await kim.rpc("set_member", { email, role: "admin" })).toMatchObject({
      status: 200,
      body: { email, role: "admin", status: "invited" },
    });
    expect((await accept(before)).status).toBe(404);
    expect((await accept(mailedPath())).status).toBe(303);
  });

  it("restores a former member once it is accepted", async () => {
    const email = anAddress();
    for (const role of ["admin", "none"]) await admin(home.here, "set-member", { email, role });
    expect(await statusOf(email)).toBe("left");
    expect((await invite(email, "member")).body).toMatchObject({ status: "invited" });
    expect((await people(home.here)).map(({ status }) => status)).toEqual(["invited", "active"]);
    await accept(mailedPath());
    expect(await people(home.here)).toMatchObject([{ email, role: "member", status: "active" }, {}]);
  });

  it("ends when an operator adds the person directly", async () => {
    const email = anAddress();
    await invite(email);
    const made = await admin(home.here, "set-member", { email, role: "member" });
    expect(made).toMatchObject({ email, role: "member", status: "active" });
    expect(mails).toHaveLength(1);
    expect((await accept(mailedPath())).status).toBe(404);
  });

  it("keeps the role of a person who has become a member in another way", async () => {
    const email = anAddress();
    await invite(email, "member");
    await insert("members", { organization_id: home.here.organizationId, email, role: "owner" });
    await accept(mailedPath());
    expect(await people(home.here)).toContainEqual(expect.objectContaining({ email, role: "owner" }));
  });

  it("is not needed for a member, whose role changes at once", async () => {
    const email = anAddress();
    await admin(home.here, "set-member", { email, role: "member" });
    expect((await invite(email)).body).toMatchObject({ role: "admin", status: "active" });
    expect(mails).toHaveLength(0);
  });

  it("is stored as a digest, and deleted a day after it expires", async () => {
    await invite(anAddress());
    const [kept] = await sql("SELECT * FROM invitations WHERE organization_id = ?", home.here.organizationId);
    expect(JSON.stringify(kept)).not.toContain(mailedPath().split("/").at(-1));
    await sql(
      `UPDATE invitations SET expires_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-25 hours')
        WHERE organization_id = ?`,
      home.here.organizationId,
    );
    await purgeInvitations(env.DB);
    expect(await countRows("invitations", home.here)).toBe(0);
  });
});

describe("on the settings page", () => {
  it("an invitation is sent, shown and, after a confirmation, withdrawn", async () => {
    const email = anAddress();
    const { browser, base } = home;
    const form = { email, role: "admin", form_id: crypto.randomUUID() };
    const sent = await Promise.all([
      browser.post(`${base}/members`, form),
      browser.post(`${base}/members`, form),
    ]);
    expect(sent.map(({ status }) => status)).toEqual([303, 303]);
    expect(mails).toHaveLength(1);
    const page = await browser.read(`${base}/members`);
    expect(page).toContain("Invitation sent");
    const path = new RegExp(`${base}/members/[0-9a-f-]{36}/remove`).exec(page)?.[0] ?? "";
    expect(await browser.read(path)).toContain("Cancel the invitation of");
    expect((await browser.post(path)).status).toBe(303);
    expect(await browser.read(`${base}/members`)).not.toContain(email);
  });

  it("an invitation is sent again by its form if the Worker died before the e-mail", async () => {
    const { here, browser, base } = home;
    const form = { email: anAddress(), role: "admin", form_id: crypto.randomUUID() };
    const send = async () => (await browser.post(`${base}/members`, form)).headers.get("location");
    expect(await send()).toBe(`${base}/members?done=invited`);
    await sql(
      `UPDATE requests SET answer = NULL, lease_ends_at = '2026-01-01T00:00:00.000Z'
        WHERE organization_id = ? AND key GLOB 'form:*'`,
      here.organizationId,
    );
    for (const _ of [1, 2]) expect(await send()).toBe(`${base}/members?done=invited`);
    expect(mails).toHaveLength(2);
  });

  it("members and tokens are shown in pages of 100", async () => {
    const { here, browser, base } = home;
    const many = (table: string, columns: string, values: string) =>
      sql(
        `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 101)
          INSERT INTO ${table} (id, organization_id, ${columns})
          SELECT printf('%08x', n) || substr(?1, 9), ?1, ${values} FROM number`,
        here.organizationId,
      );
    await many("members", "email, role", "n || '@many.example', 'member'");
    await many(
      "api_tokens",
      "name, token_hash, token_prefix, scopes, created_by",
      `'T' || n, n || ?1, 'svc_', '[]', '${here.ownerId}'`,
    );
    for (const [section, more] of [
      ["members", "More members"],
      ["tokens", "Older tokens"],
    ]) {
      const page = await browser.read(`${base}/${section}`);
      expect(page.match(/<tr><th scope="row"/g)).toHaveLength(100);
      const next = new RegExp(`href="([^"]+)">${more}`).exec(page)?.[1] ?? "";
      const last = await browser.read(`${base}/${section}${next}`);
      expect(last.match(/<tr><th scope="row"/g)?.length).toBeLessThan(5);
      expect(last).not.toContain(more);
    }
  });
});

describe("a workspace's lists", () => {
  const lists: [string, string, string, () => Promise<unknown>][] = [
    [
      "members",
      "list_members",
      "a member",
      () => insert("members", { ...own(), email: anAddress(), role: "member" }),
    ],
    ["tokens", "list_api_tokens", "an API token", () => insert("api_tokens", { ...own(), ...token() })],
    [
      "origins",
      "list_origins",
      "an allowed origin",
      () => insert("allowed_origins", { ...own(), ...origin() }),
    ],
  ];
  const own = () => ({ organization_id: home.here.organizationId });
  const token = () => ({
    name: "T",
    token_hash: crypto.randomUUID(),
    token_prefix: "svc_",
    scopes: "[]",
    created_by: home.here.ownerId,
  });
  const origin = () => ({ origin: `https://${crypto.randomUUID()}.example`, created_by: home.here.ownerId });

  it.each(lists)("return %s in pages, newest first [S16]", async (_, name, kind, make) => {
    for (let count = 0; count < 5; count += 1) await make();
    const page = async (fields: object) => (await home.browser.rpc<{ id: string }[]>(name, fields)).body;
    const all = await page({});
    const read: { id: string }[] = [];
    for (let cursor: string | undefined; ; cursor = read.at(-1)?.id) {
      const found = await page({ limit: 2, ...(cursor && { cursor }) });
      read.push(...found);
      if (found.length < 2) break;
    }
    expect(read).toEqual(all);
    expect(await home.browser.rpc(name, { cursor: crypto.randomUUID() })).toMatchObject({
      status: 400,
      body: { message: `cursor must be the id of ${kind} in this workspace` },
    });
    for (const limit of [0, 201]) expect((await home.browser.rpc(name, { limit })).status).toBe(400);
  });

  it("include invited people among the members, and can be filtered by address", async () => {
    const addresses = [anAddress(), anAddress(), anAddress()];
    for (const email of addresses) await invite(email, "member");
    const first = (await home.browser.rpc<{ id: string; email: string }[]>("list_members", { limit: 1 }))
      .body;
    expect(first).toMatchObject([{ email: addresses[2] }]);
    const rest = await home.browser.rpc<{ email: string }[]>("list_members", { cursor: first[0]?.id });
    expect(rest.body.map(({ email }) => email)).toEqual([addresses[1], addresses[0], home.here.ownerEmail]);
    const email = addresses[0]?.toUpperCase();
    expect((await home.browser.rpc("list_members", { email })).body).toMatchObject([{ status: "invited" }]);
  });
});

describe("a workspace", () => {
  const fill = (table: string, columns: string, values: string, count: number) =>
    sql(
      `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${count})
        INSERT INTO ${table} (id, organization_id, ${columns})
          SELECT printf('%08x', n) || substr(?1, 9), ?1, ${values} FROM number`,
      home.here.organizationId,
    );

  it("has at most 1,000 members, including invited people but not former members", async () => {
    await fill("members", "email, role", "n || '@many.example', iif(n > 998, 'none', 'member')", 1000);
    const email = anAddress();
    expect((await invite(email, "member")).status).toBe(200);
    const full = { message: "A workspace can have at most 1000 members, including invited people" };
    expect(await invite(anAddress())).toMatchObject({ status: 400, body: full });
    expect((await accept(mailedPath())).status).toBe(200);
    expect(
      await refusal(home.here, "set-member", { email: "1000@many.example", role: "member" }),
    ).toMatchObject(full);
    await admin(home.here, "set-member", { email, role: "none" });
    expect((await invite(anAddress())).status).toBe(200);
  });

  it("has at most 200 active tokens", async () => {
    const row = `'T', n || ?1, 'svc_', '[]', '${home.here.ownerId}'`;
    await fill("api_tokens", "name, token_hash, token_prefix, scopes, created_by", row, 198);
    const make = () => home.browser.rpc("create_api_token", { name: "One more" });
    expect((await make()).status).toBe(200);
    expect(await make()).toMatchObject({
      status: 400,
      body: { message: "A workspace can have at most 200 active tokens", hint: "revoke a token first" },
    });
    const [token] = await admin<{ id: string }[]>(home.here, "list-api-tokens", { limit: "1" });
    await admin(home.here, "revoke-api-token", { id: token?.id });
    expect((await make()).status).toBe(200);
  });

  it("has at most 50 allowed origins", async () => {
    await fill(
      "allowed_origins",
      "origin, created_by",
      `'https://' || n || '.example', '${home.here.ownerId}'`,
      50,
    );
    const allow = (origin: string) => home.browser.rpc("allow_origin", { origin });
    expect(await allow("https://new.example")).toMatchObject({
      status: 400,
      body: { message: "A workspace can have at most 50 allowed origins" },
    });
    expect((await allow("https://7.example")).status).toBe(200);
  });
});
