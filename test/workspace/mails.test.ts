import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { purgeMailCounts } from "../../src/core/mails/purge-mail-counts.ts";
import { sendDigests } from "../../src/core/mails/send-digests.ts";
import { servicesOf } from "../../src/services.ts";
import { notifyOwners } from "../../src/webhooks/health/notify-owners.ts";
import { mailSignInLink } from "../../src/workspace/sessions/mail-sign-in-link.ts";
import { admin, refusal } from "../support/admin.ts";
import { type SentMail, watchMails } from "../support/mails.ts";
import { call, post } from "../support/partner.ts";
import {
  aDeliverable,
  countRows,
  makeClient,
  makeDeliverable,
  makeStudio,
  type Studio,
} from "../support/review.ts";
import { alertOf, Reviewer } from "../support/reviewer.ts";
import { insertEndpoint } from "../support/settings.ts";

let mails: SentMail[];
beforeEach(() => {
  mails = watchMails();
});

const send = (studio: Studio, id: string, key?: string) =>
  post(studio, `/api-v1/deliverables/${id}/send`, {}, key);

const set = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

async function planWith({ organizationId }: Studio, mailsPerDay: number): Promise<void> {
  const name = crypto.randomUUID();
  await set(
    "INSERT INTO plans (name, api_access, requests_per_minute, mails_per_day) VALUES (?, 1, 1000, ?)",
    name,
    mailsPerDay,
  );
  await set("UPDATE organizations SET plan = ? WHERE id = ?", name, organizationId);
}

const mailed = ({ organizationId }: Studio, address: string, mailsOfToday: number) =>
  set(
    `INSERT INTO mail_counts (day, organization_id, address, mails) VALUES (date('now'), ?, ?, ?)
     ON CONFLICT DO UPDATE SET mails = excluded.mails`,
    organizationId,
    address,
    mailsOfToday,
  );

const countsOf = async ({ organizationId }: Studio, where: string) =>
  (
    await env.DB.prepare(
      `SELECT address, mails FROM mail_counts WHERE organization_id = ? AND ${where} ORDER BY address`,
    )
      .bind(organizationId)
      .all()
  ).results;

describe("the link in a review e-mail", () => {
  const foreign = "https://phish.example";
  const shared = async (studio: Studio, origin: string) => {
    const answer = await call(studio, "/api-v1/deliverables", {
      body: aDeliverable(studio),
      key: crypto.randomUUID(),
      headers: { origin },
    });
    return answer.json<{ id: string; share_url: string }>();
  };
  const links = () => [...(mails.at(-1)?.html ?? "").matchAll(/https?:\/\/[^"<\s]+/g)].map(([link]) => link);
  const origins = () => [...new Set(links().map((link) => new URL(link).origin))];

  it("opens the application, even if the share URL has another origin", async () => {
    const studio = await makeStudio();
    const { id, share_url } = await shared(studio, foreign);
    expect(new URL(share_url).origin).toBe(foreign);
    expect((await send(studio, id)).status).toBe(200);
    expect(origins()).toEqual(["https://app.example.com"]);
    expect(JSON.stringify(mails)).not.toContain("phish");
  });

  it("opens an origin that an admin has allowed for the workspace [P5]", async () => {
    const [studio, other] = [await makeStudio(), await makeStudio()];
    const allowed = await admin(studio, "allow-origin", { origin: "https://REVIEW.Studio.example/" });
    expect(allowed).toMatchObject({ origin: "https://review.studio.example", created_by: studio.ownerId });
    const [mine, theirs] = [
      await shared(studio, "https://review.studio.example"),
      await shared(other, "https://review.studio.example"),
    ];
    await send(studio, mine.id);
    expect(origins()).toEqual(["https://review.studio.example"]);
    const opened = await new Reviewer(mine.share_url).follow(links()[0] ?? "");
    expect([opened.status, opened.headers.get("location")]).toEqual([303, new URL(mine.share_url).pathname]);
    await send(other, theirs.id);
    expect(origins()).toEqual(["https://app.example.com"]);
    await admin(studio, "remove-origin", { origin: "https://review.studio.example" });
    await send(studio, mine.id);
    expect(origins()).toEqual(["https://app.example.com"]);
  });
});

describe("allow-origin, list-origins, remove-origin", () => {
  it("store one row and add one audit log entry per origin", async () => {
    const studio = await makeStudio();
    const origin = "https://review.studio.example";
    const first = await admin(studio, "allow-origin", { origin });
    expect(await admin(studio, "allow-origin", { origin })).toEqual(first);
    expect(await admin(studio, "list-origins")).toEqual([first]);
    const written = "https://REVIEW.Studio.example/";
    expect(await admin(studio, "remove-origin", { origin: written })).toEqual(first);
    expect(await admin(studio, "list-origins")).toEqual([]);
    for (const none of [origin, "review.studio.example"])
      expect(await refusal(studio, "remove-origin", { origin: none })).toMatchObject({
        message: `There is no allowed origin ${none} in this workspace`,
      });
    const log = await admin<{ action: string }[]>(studio, "audit-log");
    expect(log.slice(0, 2).map(({ action }) => action)).toEqual(["origin.removed", "origin.allowed"]);
    expect(log.filter(({ action }) => action.startsWith("origin."))).toHaveLength(2);
  });

  it.each([
    "http://review.studio.example",
    "https://review.studio.example/path",
    "https://review.studio.example/?q",
    "https://user@review.studio.example",
    "review.studio.example",
    "null",
  ])("reject %s", async (origin) => {
    expect(await refusal(await makeStudio(), "allow-origin", { origin })).toMatchObject({
      message: "origin must be an https origin like https://review.example.com",
    });
  });
});

describe("a day's e-mails", () => {
  const told = async (answer: Response) => [
    answer.status,
    await answer.json(),
    answer.headers.get("x-should-retry"),
  ];
  const tooMany = (error: string) => [
    429,
    { error, code: "rate_limit_exceeded", resource: "mails", retry_after_seconds: expect.any(Number) },
    "true",
  ];

  it("are limited to 20 per address in any case, and then return 429 until the end of the day [N3]", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    await mailed(await makeStudio(), "nora@northwind.example", 99);
    await mailed(studio, "nora@northwind.example", 19);
    await set("UPDATE clients SET email = 'Nora@Northwind.example' WHERE id = ?", studio.clientId);
    expect((await send(studio, id)).status).toBe(200);
    const refused = await send(studio, id, "later");
    const seconds = Number(refused.headers.get("retry-after"));
    const left = 86_400 - (Math.floor(Date.now() / 1000) % 86_400);
    expect(Math.abs(seconds - left)).toBeLessThan(60);
    expect(await told(refused)).toEqual(
      tooMany("This address has already received today's maximum of 20 e-mails"),
    );
    expect([mails.length, await countRows("deliverable_sends", studio)]).toEqual([1, 1]);

    const another = await makeClient(studio, { email: "kim@northwind.example" });
    const theirs = await makeDeliverable(studio, { client_id: another });
    expect((await send(studio, theirs)).status).toBe(200);
    await set(
      "UPDATE mail_counts SET day = date('now', '-1 day'), mails = 99 WHERE organization_id = ?",
      studio.organizationId,
    );
    expect((await send(studio, id, "later")).status).toBe(200);
  });

  it("are limited by the workspace's plan [N3]", async () => {
    const [studio, other] = [await makeStudio(), await makeStudio()];
    for (const each of [studio, other]) await planWith(each, 2);
    const [id, theirs] = [await makeDeliverable(studio), await makeDeliverable(other)];
    for (const key of ["1", "2"]) expect((await send(studio, id, key)).status).toBe(200);
    expect((await send(studio, id, "2")).status).toBe(200);
    expect(await told(await send(studio, id, "3"))).toEqual(
      tooMany("Your plan's daily e-mail limit is reached"),
    );
    expect(mails).toHaveLength(2);
    await mailed(studio, "", 9);
    expect((await send(other, theirs)).status).toBe(200);
    await set(
      "UPDATE mail_counts SET day = date('now', '-1 day') WHERE organization_id = ?",
      studio.organizationId,
    );
    expect((await send(studio, id, "3")).status).toBe(200);
  });

  it("do not count if they failed", async () => {
    const studio = await makeStudio();
    await planWith(studio, 1);
    const id = await makeDeliverable(studio);
    vi.spyOn(env.EMAIL, "send").mockRejectedValueOnce(new Error("E_TEMPORARY"));
    expect((await send(studio, id, "key")).status).toBe(502);
    expect((await send(studio, id, "key")).status).toBe(200);
  });

  it("do not count if they failed, even if the address has another case", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    await set("UPDATE clients SET email = 'Nora@Northwind.example' WHERE id = ?", studio.clientId);
    vi.spyOn(env.EMAIL, "send").mockRejectedValueOnce(new Error("E_TEMPORARY"));
    expect((await send(studio, id)).status).toBe(502);
    expect(await countsOf(studio, "day = date('now')")).toEqual([
      { address: "", mails: 0 },
      { address: "nora@northwind.example", mails: 0 },
    ]);
  });

  it("do not raise the next day's limit if they failed", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    const { organizationId } = studio;
    vi.spyOn(env.EMAIL, "send").mockImplementationOnce(async () => {
      await set(
        "UPDATE mail_counts SET day = date('now', '-1 day') WHERE organization_id = ?",
        organizationId,
      );
      for (const address of ["", "nora@northwind.example"]) await mailed(studio, address, 0);
      throw new Error("E_TEMPORARY");
    });
    expect((await send(studio, id)).status).toBe(502);
    expect(await countsOf(studio, "day = date('now')")).toMatchObject([{ mails: 0 }, { mails: 0 }]);
  });

  it("leave the counts of other days and workspaces unchanged if they failed", async () => {
    const [studio, other] = [await makeStudio(), await makeStudio()];
    const id = await makeDeliverable(studio);
    await mailed(studio, "nora@northwind.example", 5);
    await mailed(other, "nora@northwind.example", 5);
    await set(
      "UPDATE mail_counts SET day = date('now', '-1 day') WHERE organization_id = ?",
      studio.organizationId,
    );
    vi.spyOn(env.EMAIL, "send").mockRejectedValueOnce(new Error("E_TEMPORARY"));
    expect((await send(studio, id)).status).toBe(502);
    const five = [{ address: "nora@northwind.example", mails: 5 }];
    expect(await countsOf(studio, "day < date('now')")).toEqual(five);
    expect(await countsOf(other, "day = date('now')")).toEqual(five);
  });

  it("include codes, which may exceed an address's limit by 5 [N3]", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    const { share_url } = await (await call(studio, `/api-v1/deliverables/${id}`)).json<{
      share_url: string;
    }>();
    const visitor = new Reviewer(share_url);
    await send(studio, id);
    await mailed(studio, "nora@northwind.example", 20);
    expect((await send(studio, id)).status).toBe(429);
    await planWith(studio, 24);
    await mailed(studio, "nora@northwind.example", 24);
    await mailed(studio, "", 28);
    expect((await visitor.post("code", {})).status).toBe(303);
    const refused = await visitor.post("code", {});
    const left = 86_400 - (Math.floor(Date.now() / 1000) % 86_400);
    expect(Math.abs(Number(refused.headers.get("retry-after")) - left)).toBeLessThan(60);
    expect([refused.status, alertOf(await refused.text())]).toEqual([
      429,
      expect.stringContaining("No more e-mails can be sent today. Try again tomorrow"),
    ]);
    expect(mails).toHaveLength(2);
  });

  it("leave a fifth of the service's quota to sign-in links and codes [O18]", async () => {
    const studio = await makeStudio();
    const services = servicesOf({ ...env, MAIL_QUOTA: "10" });
    const sentToday = (count: number) =>
      set(
        `INSERT INTO service_mails (day, mails) VALUES (date('now'), ?1)
         ON CONFLICT (day) DO UPDATE SET mails = ?1`,
        count,
      );
    const notice = { from: "a@example.com", to: "b@example.com", subject: "A notice", text: "" };
    const link = () =>
      mailSignInLink(services, studio.ownerEmail, { return_path: null, form_id: crypto.randomUUID() });
    await sentToday(7);
    await services.email.send(notice);
    await expect(services.email.send(notice)).rejects.toThrow("today's 8 e-mails of the service went out");
    await link();
    await sentToday(9);
    await link();
    await expect(link()).rejects.toThrow("today's 10 e-mails of the service went out");
    expect(mails).toHaveLength(3);
    await set("DELETE FROM service_mails");
  });

  it("include sign-in links, which are counted per address but not limited", async () => {
    const studio = await makeStudio();
    await mailed(studio, "", 9999);
    await mailSignInLink(servicesOf(env), studio.ownerEmail, { return_path: null, form_id: null });
    expect(mails).toHaveLength(1);
    expect(
      await env.DB.prepare("SELECT mails, sign_in_links FROM mail_counts WHERE address = ?")
        .bind(studio.ownerEmail)
        .first(),
    ).toEqual({ mails: 0, sign_in_links: 1 });
  });

  it("include endpoint warnings as notices, which are held back after 30 per address [N3]", async () => {
    const [studio, other] = [await makeStudio(), await makeStudio()];
    await set(
      "INSERT INTO mail_counts (day, organization_id, address, notices) VALUES (date('now'), ?, ?, 29)",
      other.organizationId,
      studio.ownerEmail,
    );
    const warn = async () => {
      await insertEndpoint(studio, {
        notice: "warning",
        consecutive_dead: 10,
        notice_due_at: new Date().toISOString(),
      });
      await notifyOwners(servicesOf(env));
    };
    for (const sent of [1, 1]) {
      await warn();
      expect(mails).toHaveLength(sent);
    }
    expect(
      await env.DB.prepare("SELECT notices, held_notices FROM mail_counts WHERE organization_id = ?")
        .bind(studio.organizationId)
        .first(),
    ).toEqual({ notices: 1, held_notices: 1 });
  });

  it("are counted in one digest for all workspaces if they were held back [N3]", async () => {
    const [studio, other] = [await makeStudio(), await makeStudio()];
    for (const [{ organizationId }, count] of [
      [studio, 3],
      [other, 4],
    ] as const)
      await set(
        "INSERT INTO mail_counts (day, organization_id, address, held_notices) VALUES ('2026-01-01', ?, ?, ?)",
        organizationId,
        studio.ownerEmail,
        count,
      );
    await sendDigests(servicesOf(env));
    await sendDigests(servicesOf(env));
    const ofOwner = mails.filter(({ to }) => to === studio.ownerEmail);
    expect(ofOwner.map(({ subject }) => subject)).toEqual(["7 more notifications in your workspaces"]);
    expect(ofOwner[0]?.text.match(/: [34]$/gm)?.sort()).toEqual([": 3", ": 4"]);
  });

  it("have counts that are stored for two days", async () => {
    const studio = await makeStudio();
    for (const days of [1, 2])
      await set(
        "INSERT INTO mail_counts (day, organization_id, address) VALUES (date('now', ?), ?, 'nora@northwind.example')",
        `-${days} days`,
        studio.organizationId,
      );
    await purgeMailCounts({ db: env.DB, cell: null });
    expect(await countRows("mail_counts", studio)).toBe(1);
  });

  it("have counts that are deleted in batches of 500", async () => {
    const studio = await makeStudio();
    await env.DB.prepare(
      `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 501)
        INSERT INTO mail_counts (day, organization_id, address, mails) SELECT '2020-01-01', ?, n, 1 FROM number`,
    )
      .bind(studio.organizationId)
      .run();
    for (const left of [1, 0]) {
      await purgeMailCounts({ db: env.DB, cell: null });
      expect(await countRows("mail_counts", studio)).toBe(left);
    }
  });

  it.each([
    ["free", 50],
    ["solo", 100],
    ["studio", 500],
    ["agency", 2000],
  ])("are limited on the plan %s to %i", async (name, mailsPerDay) => {
    const found = await env.DB.prepare("SELECT mails_per_day FROM plans WHERE name = ?").bind(name).first();
    expect(found).toEqual({ mails_per_day: mailsPerDay });
  });
});

it("a sender's message cannot break out of its quote or reorder the e-mail's text", async () => {
  const studio = await makeStudio();
  const id = await makeDeliverable(studio);
  const message = "One\u2028Two\u2029Three\r\nFour\u202etxt.exe";
  await post(studio, `/api-v1/deliverables/${id}/send`, { message });
  const quoted = (mails[0]?.text ?? "").split("\n").filter((line) => line.startsWith("> "));
  expect(quoted).toEqual(["> One", "> Two", "> Three", "> Four txt.exe"]);
  expect(`${mails[0]?.text}${mails[0]?.html}`.replaceAll("\n", "")).not.toMatch(
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/u,
  );
});
