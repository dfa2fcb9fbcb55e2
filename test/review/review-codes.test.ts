import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { purgeReviewKeys } from "../../src/review/access/purge-keys.ts";
import { admin } from "../support/admin.ts";
import { ageForms } from "../support/forms.ts";
import { logged } from "../support/logged.ts";
import { type SentMail, watchMails } from "../support/mails.ts";
import { restoreDatabase, setTripOutcomes } from "../support/outages.ts";
import { makeClient, makeDeliverable, readDeliverable } from "../support/review.ts";
import { alertOf, makeReview, Reviewer, rowsOfDeliverable } from "../support/reviewer.ts";

let mails: SentMail[];
beforeEach(() => {
  mails = watchMails();
});

/** E-mails with a code. Notices are sent after the response, so they may arrive in between. */
const codeMails = () => mails.filter(({ subject }) => subject.includes("is your code"));
const mailedCode = (): string => /^Your code: (\d{6})$/m.exec(codeMails()[0]?.text ?? "")?.[1] ?? "none";
const wrong = (code: string) => (code === "000000" ? "000001" : "000000");

const age = (id: string, minutes: number) =>
  env.DB.prepare(
    `UPDATE review_codes SET created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-${minutes} minutes'),
     expires_at = strftime('%Y-%m-%dT%H:%M:%fZ', expires_at, '-${minutes} minutes') WHERE deliverable_id = ?`,
  )
    .bind(id)
    .run();

describe("a confirmation code", () => {
  it("is sent only to the client's own address and identifies the client", async () => {
    const { id, visitor } = await makeReview();
    const asked = await visitor.post("code", { email: "mallory@example.com" });
    expect([asked.status, asked.headers.get("location")]).toEqual([
      303,
      `${visitor.path}?done=code#sign-off`,
    ]);
    expect(codeMails().map(({ to }) => to)).toEqual(["nora@northwind.example"]);
    const page = await visitor.read();
    expect(page).toContain("n•••@n•••.example");
    expect(page).toMatch(/<input id="code"[^>]* autocomplete="one-time-code"/);
    const code = mailedCode();
    expect(codeMails()[0]?.subject).toContain(code);
    expect(codeMails()[0]?.text).toContain("It works for 10 minutes.");
    const confirmed = await visitor.post("verify", { code: ` ${code.slice(0, 3)} -${code.slice(3)} ` });
    expect(confirmed.status).toBe(303);
    expect(confirmed.headers.get("set-cookie")).toContain("Max-Age=43200");
    const [{ created_at, expires_at } = {}] = await rowsOfDeliverable("review_keys", id);
    const hours = (Date.parse(String(expires_at)) - Date.parse(String(created_at))) / 3_600_000;
    expect(hours).toBeCloseTo(12, 3);
    await visitor.post("code", {});
    expect(codeMails()).toHaveLength(1);
    await visitor.comment("It is me");
    expect((await visitor.signOff()).status).toBe(303);
    expect(await rowsOfDeliverable("feedback", id)).toMatchObject([{ attribution: "mailed_code" }]);
    expect(await rowsOfDeliverable("sign_offs", id)).toMatchObject([{ attribution: "mailed_code" }]);
  });

  it("is stored as a keyed digest", async () => {
    const { id, visitor } = await makeReview();
    await visitor.post("code", {});
    expect(JSON.stringify(await rowsOfDeliverable("review_codes", id))).not.toContain(mailedCode());
  });

  it.each(["12345", "1234567", "12345a", ""])(
    "has six digits, so %j does not count as a try",
    async (code) => {
      const { id, visitor } = await makeReview();
      await visitor.post("code", {});
      const answer = await visitor.post("verify", { code });
      expect([answer.status, await answer.text()]).toEqual([
        400,
        expect.stringContaining("</svg>Enter a code with 6 digits</p>"),
      ]);
      expect(await rowsOfDeliverable("review_codes", id)).toMatchObject([{ tries: 0 }]);
    },
  );

  it("is sent once for a form that is submitted twice within a minute", async () => {
    const { studio, visitor } = await makeReview();
    const filled = await visitor.form("code");
    const press = () => visitor.post("code", filled);
    const answers = [...(await Promise.all([press(), press()])), await press()];
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(codeMails()).toHaveLength(1);
    await visitor.post("code", await visitor.form("code"));
    expect(codeMails()).toHaveLength(2);
    await ageForms(studio);
    await press();
    expect(codeMails()).toHaveLength(3);
    await ageForms(studio);
    await admin(studio, "update-client", { id: studio.clientId, email: "new@northwind.example" });
    await press();
    expect(codeMails().map(({ to }) => to)[3]).toBe("new@northwind.example");
  });

  it.each<Record<string, string>>([{}, { form_id: "short" }])(
    "is sent for each submitted form without a valid form id: %j",
    async (fields) => {
      const { visitor } = await makeReview();
      for (let times = 0; times < 2; times += 1)
        expect((await visitor.post("code", fields)).status).toBe(303);
      expect(codeMails()).toHaveLength(2);
    },
  );

  it("can be used once, even by concurrent visitors", async () => {
    const { visitor } = await makeReview();
    await visitor.post("code", {});
    const code = mailedCode();
    const answers = await Promise.all([1, 2, 3].map(() => visitor.post("verify", { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 403, 403]);
    expect((await visitor.post("verify", { code })).status).toBe(403);
  });

  it("creates one key for a form that is submitted twice", async () => {
    const { id, visitor } = await makeReview();
    await visitor.post("code", {});
    const filled = { ...(await visitor.form("verify")), code: mailedCode() };
    const press = () => visitor.post("verify", filled);
    const answers = [...(await Promise.all([press(), press()])), await press()];
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(new Set(answers.map(({ headers }) => headers.get("set-cookie"))).size).toBe(1);
    expect(await rowsOfDeliverable("review_keys", id)).toHaveLength(1);
    const another = { ...filled, form_id: `0.${crypto.randomUUID()}` };
    expect((await visitor.post("verify", another)).status).toBe(403);
    expect((await visitor.post("verify", { ...filled, code: wrong(filled.code) })).status).toBe(409);
  });

  it("works even if it equals an earlier code of the same form", async () => {
    const { id, visitor } = await makeReview();
    await visitor.post("code", {});
    const filled = { ...(await visitor.form("verify")), code: mailedCode() };
    expect((await visitor.post("verify", filled)).status).toBe(303);
    await env.DB.prepare("UPDATE review_codes SET used_at = NULL WHERE deliverable_id = ?").bind(id).run();
    expect((await visitor.post("verify", filled)).status).toBe(303);
    expect(await rowsOfDeliverable("review_keys", id)).toHaveLength(1);
  });

  it("no longer works for the same form after a minute", async () => {
    const { studio, visitor } = await makeReview();
    await visitor.post("code", {});
    const filled = { ...(await visitor.form("verify")), code: mailedCode() };
    expect((await visitor.post("verify", filled)).status).toBe(303);
    await ageForms(studio);
    expect((await visitor.post("verify", filled)).status).toBe(403);
  });

  it("no longer works after 10 minutes [P7]", async () => {
    const { id, visitor } = await makeReview();
    await visitor.post("code", {});
    await age(id, 10);
    const answer = await visitor.post("verify", { code: mailedCode() });
    expect([answer.status, alertOf(await answer.text())]).toEqual([
      403,
      expect.stringContaining("has expired"),
    ]);
    // A malformed code gets a different message.
    const mistyped = await visitor.post("verify", { code: "12345" });
    expect(await mistyped.text()).toContain("</svg>Enter a code with 6 digits</p>");
  });

  it("no longer works after 5 tries, even concurrent ones [P7]", async () => {
    const { id, visitor } = await makeReview();
    await visitor.post("code", {});
    const code = mailedCode();
    const tries = await Promise.all([1, 2, 3, 4, 5].map(() => visitor.post("verify", { code: wrong(code) })));
    expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([403]));
    const answer = await visitor.post("verify", { code });
    expect([answer.status, alertOf(await answer.text())]).toEqual([
      403,
      expect.stringContaining("tried too often"),
    ]);
    expect(await rowsOfDeliverable("review_keys", id)).toEqual([]);
    expect(await rowsOfDeliverable("review_codes", id)).toMatchObject([{ tries: 5 }]);
  });

  it("is no longer requested after the fifth wrong try", async () => {
    const { visitor } = await makeReview();
    await visitor.post("code", {});
    const asks: boolean[] = [];
    for (let tried = 0; tried < 5; tried += 1) {
      const page = await (await visitor.post("verify", { code: wrong(mailedCode()) })).text();
      asks.push(page.includes("We have e-mailed a code"));
      expect(page.includes("autofocus")).toBe(asks.at(-1));
      expect(alertOf(page)).toContain(asks.at(-1) ? "code is wrong" : "tried too often");
    }
    expect(asks).toEqual([true, true, true, true, false]);
  });

  it("is accepted on the fifth try", async () => {
    const { visitor } = await makeReview();
    await visitor.post("code", {});
    const code = mailedCode();
    for (let tried = 0; tried < 4; tried += 1) await visitor.post("verify", { code: wrong(code) });
    expect((await visitor.post("verify", { code })).status).toBe(303);
  });

  it("does not open another review for the same client", async () => {
    const { studio, visitor } = await makeReview();
    await visitor.post("code", {});
    const other = new Reviewer((await readDeliverable(studio, await makeDeliverable(studio))).share_url);
    expect((await other.post("verify", { code: mailedCode() })).status).toBe(403);
  });

  it("does not invalidate another review's code", async () => {
    const { studio, visitor } = await makeReview();
    const other = new Reviewer((await readDeliverable(studio, await makeDeliverable(studio))).share_url);
    for (const each of [visitor, other]) await each.post("code", {});
    const codes = codeMails().map(({ text }) => /^Your code: (\d{6})$/m.exec(text)?.[1] ?? "none");
    expect((await visitor.post("verify", { code: codes[0] ?? "" })).status).toBe(303);
    expect((await other.post("verify", { code: codes[1] ?? "" })).status).toBe(303);
  });

  it("no longer works after the client's address changes", async () => {
    const { studio, id, visitor } = await makeReview();
    await visitor.post("code", {});
    await admin(studio, "update-client", { id: studio.clientId, email: "new@northwind.example" });
    expect((await visitor.post("verify", { code: mailedCode() })).status).toBe(403);
    expect(await rowsOfDeliverable("review_keys", id)).toEqual([]);
    expect(await visitor.read()).not.toContain("We have e-mailed a code");
  });

  it("still works after the address's case changes", async () => {
    const { studio, visitor } = await makeReview();
    await visitor.post("code", {});
    await admin(studio, "update-client", { id: studio.clientId, email: "NORA@northwind.example" });
    expect((await visitor.post("verify", { code: mailedCode() })).status).toBe(303);
  });

  it("is sent to an address at most 5 times per hour across all reviews [P7]", async () => {
    const { studio, id, visitor } = await makeReview();
    const other = new Reviewer((await readDeliverable(studio, await makeDeliverable(studio))).share_url);
    const answers = await Promise.all(
      [visitor, other, visitor, other, visitor, other, visitor].map((each) => each.post("code", {})),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 303, 303, 303, 303, 429, 429]);
    expect(codeMails()).toHaveLength(5);
    const refused = await visitor.post("code", {});
    expect([refused.headers.get("retry-after"), alertOf(await refused.text())]).toEqual([
      "3600",
      expect.stringContaining("several codes"),
    ]);
    const client_id = await makeClient(studio, { email: "kim@northwind.example" });
    const theirs = await readDeliverable(studio, await makeDeliverable(studio, { client_id }));
    expect((await new Reviewer(theirs.share_url).post("code", {})).status).toBe(303);
    const ofAnotherWorkspace = await makeReview();
    expect((await ofAnotherWorkspace.visitor.post("code", {})).status).toBe(303);
    await age(id, 59);
    expect((await visitor.post("code", {})).status).toBe(429);
    await age(id, 2);
    expect((await visitor.post("code", {})).status).toBe(303);
  });

  it("returns 502 and does not count if it cannot be sent", async () => {
    const lines = logged();
    const { studio, id, visitor } = await makeReview();
    vi.spyOn(env.EMAIL, "send").mockRejectedValue(new Error("no"));
    const answer = await visitor.post("code", {});
    expect(lines()).toMatchObject([
      { mailing_code: expect.any(String), error: expect.stringContaining("no") },
    ]);
    expect([answer.status, alertOf(await answer.text())]).toEqual([
      502,
      expect.stringContaining("could not be e-mailed"),
    ]);
    expect(await rowsOfDeliverable("review_codes", id)).toEqual([]);
    const counted = env.DB.prepare("SELECT sum(mails) AS n FROM mail_counts WHERE organization_id = ?");
    expect(await counted.bind(studio.organizationId).first("n")).toBe(0);
  });

  it("returns 502 if it cannot be sent, even if the database cannot record the failure", async () => {
    const { visitor } = await makeReview();
    vi.spyOn(console, "error").mockImplementation(() => {});
    vi.spyOn(env.EMAIL, "send").mockRejectedValue(new Error("no"));
    // The trips are the lookup, the insert of the code and the update after the failure.
    setTripOutcomes((trip) => (trip === 3 ? "lost" : "through"));
    const answer = await visitor.post("code", {});
    restoreDatabase();
    expect([answer.status, await answer.text()]).toEqual([
      502,
      expect.stringContaining("could not be e-mailed"),
    ]);
  });

  it.each(["clients", "deliverables"])("is not sent or accepted for sample data: %s", async (table) => {
    const { studio, id, visitor } = await makeReview();
    await visitor.post("code", {});
    await env.DB.prepare(`UPDATE ${table} SET is_sample = 1 WHERE id IN (?, ?)`)
      .bind(studio.clientId, id)
      .run();
    expect((await visitor.post("code", {})).status).toBe(403);
    expect(codeMails()).toHaveLength(1);
    expect((await visitor.post("verify", { code: mailedCode() })).status).toBe(403);
    const page = await visitor.read();
    expect(page).toContain("This is sample data: nothing is e-mailed");
    expect(page).not.toContain("no e-mail address");
  });

  it("is deleted a day after it expires", async () => {
    const { id, visitor } = await makeReview();
    await visitor.post("code", {});
    await visitor.post("verify", { code: mailedCode() });
    await purgeReviewKeys(env.DB);
    expect(await rowsOfDeliverable("review_codes", id)).toHaveLength(1);
    const left = async (hours: number) => {
      await env.DB.prepare(
        `UPDATE review_keys SET expires_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${hours} hours')
          WHERE deliverable_id = ?`,
      )
        .bind(id)
        .run();
      await purgeReviewKeys(env.DB);
      const tables = ["review_codes", "review_keys"].map((table) => rowsOfDeliverable(table, id));
      return (await Promise.all(tables)).map(({ length }) => length);
    };
    await age(id, 24 * 60);
    expect(await left(23)).toEqual([1, 1]);
    await age(id, 60);
    expect(await left(25)).toEqual([0, 0]);
  });

  it("creates keys that are deleted in batches of 500 once they expire", async () => {
    const { studio, id } = await makeReview();
    await env.DB.prepare(
      `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 501)
        INSERT INTO review_keys (key_hash, organization_id, deliverable_id, email, attribution, expires_at)
        SELECT n, ?, ?, 'nora@northwind.example', 'mailed_code', '2020-01-01T00:00:00.000Z' FROM number`,
    )
      .bind(studio.organizationId, id)
      .run();
    await purgeReviewKeys(env.DB);
    expect(await rowsOfDeliverable("review_keys", id)).toHaveLength(1);
    await purgeReviewKeys(env.DB);
    expect(await rowsOfDeliverable("review_keys", id)).toHaveLength(0);
  });
});
