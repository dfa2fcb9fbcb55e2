import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { purgeReviewKeys } from "../../src/domain/review/purge-keys.ts";
import { type SentMail, watchMails } from "../support/mails.ts";
import { makeDeliverable, readDeliverable } from "../support/review.ts";
import { alertOf, makeReview, Reviewer, rowsOfDeliverable } from "../support/reviewer.ts";

let mails: SentMail[];
beforeEach(() => {
  mails = watchMails();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Other mails may come meanwhile: what happened in a review goes out behind the answer. */
const codeMails = () => mails.filter(({ subject }) => subject.includes("is your code"));
const mailedCode = (): string => /^Your code: (\d{6})$/m.exec(codeMails()[0]?.text ?? "")?.[1] ?? "none";
const wrong = (code: string) => (code === "000000" ? "000001" : "000000");

/** Shifts everything of a review's codes into the past. */
const age = (id: string, minutes: number) =>
  env.DB.prepare(
    `UPDATE review_codes SET created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-${minutes} minutes'),
     expires_at = strftime('%Y-%m-%dT%H:%M:%fZ', expires_at, '-${minutes} minutes') WHERE deliverable_id = ?`,
  )
    .bind(id)
    .run();

describe("a code", () => {
  it("goes to the client's own address, whatever the form says, and makes its reader known", async () => {
    const { id, visitor } = await makeReview();
    const asked = await visitor.post("code", { email: "mallory@example.com" });
    expect([asked.status, asked.headers.get("location")]).toEqual([303, `${visitor.path}#sign-off`]);
    expect(codeMails().map(({ to }) => to)).toEqual(["nora@northwind.example"]);
    expect(await visitor.read()).toContain("n•••@n•••.example");
    const code = mailedCode();
    expect(codeMails()[0]?.subject).toContain(code);
    const confirmed = await visitor.post("verify", { code: ` ${code.slice(0, 3)} ${code.slice(3)} ` });
    expect(confirmed.status).toBe(303);
    expect(confirmed.headers.get("set-cookie")).toContain("Max-Age=43200");
    await visitor.comment("It is me");
    expect((await visitor.signOff()).status).toBe(303);
    expect(await rowsOfDeliverable("feedback", id)).toMatchObject([{ attribution: "mailed_code" }]);
    expect(await rowsOfDeliverable("sign_offs", id)).toMatchObject([{ attribution: "mailed_code" }]);
  });

  it("is kept as a keyed digest", async () => {
    const { id, visitor } = await makeReview();
    await visitor.post("code", {});
    expect(JSON.stringify(await rowsOfDeliverable("review_codes", id))).not.toContain(mailedCode());
  });

  it("is used once, also by two at the same time", async () => {
    const { visitor } = await makeReview();
    await visitor.post("code", {});
    const code = mailedCode();
    const answers = await Promise.all([1, 2, 3].map(() => visitor.post("verify", { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 403, 403]);
    expect((await visitor.post("verify", { code })).status).toBe(403);
  });

  it("is of no use after 10 minutes", async () => {
    const { id, visitor } = await makeReview();
    await visitor.post("code", {});
    await age(id, 10);
    expect((await visitor.post("verify", { code: mailedCode() })).status).toBe(403);
  });

  it("is of no use after 5 tries, also when they come at the same time", async () => {
    const { id, visitor } = await makeReview();
    await visitor.post("code", {});
    const code = mailedCode();
    const tries = await Promise.all([1, 2, 3, 4, 5].map(() => visitor.post("verify", { code: wrong(code) })));
    expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([403]));
    const answer = await visitor.post("verify", { code });
    expect([answer.status, alertOf(await answer.text())]).toEqual([
      403,
      expect.stringContaining("not valid"),
    ]);
    expect(await rowsOfDeliverable("review_keys", id)).toEqual([]);
    expect(await rowsOfDeliverable("review_codes", id)).toMatchObject([{ tries: 5 }]);
  });

  it("counts the fifth try", async () => {
    const { visitor } = await makeReview();
    await visitor.post("code", {});
    const code = mailedCode();
    for (let tried = 0; tried < 4; tried += 1) await visitor.post("verify", { code: wrong(code) });
    expect((await visitor.post("verify", { code })).status).toBe(303);
  });

  it("opens no other review of the same client", async () => {
    const { studio, visitor } = await makeReview();
    await visitor.post("code", {});
    const other = new Reviewer((await readDeliverable(studio, await makeDeliverable(studio))).share_url);
    expect((await other.post("verify", { code: mailedCode() })).status).toBe(403);
  });

  it("is mailed 5 times an hour to one address, from whichever of its reviews, also at the same time", async () => {
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
      expect.stringContaining("Enough codes"),
    ]);
    await age(id, 61);
    expect((await visitor.post("code", {})).status).toBe(303);
  });

  it("that could not be mailed is a 502 and does not count", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { id, visitor } = await makeReview();
    vi.spyOn(env.EMAIL, "send").mockRejectedValue(new Error("no"));
    const answer = await visitor.post("code", {});
    expect([answer.status, alertOf(await answer.text())]).toEqual([
      502,
      expect.stringContaining("could not be mailed"),
    ]);
    expect(await rowsOfDeliverable("review_codes", id)).toEqual([]);
  });

  it("is mailed to no sample client", async () => {
    const { studio, visitor } = await makeReview();
    await env.DB.prepare("UPDATE clients SET is_sample = 1 WHERE id = ?").bind(studio.clientId).run();
    expect((await visitor.post("code", {})).status).toBe(403);
    expect(codeMails()).toEqual([]);
  });

  it("is forgotten a day after its end", async () => {
    const { id, visitor } = await makeReview();
    await visitor.post("code", {});
    await visitor.post("verify", { code: mailedCode() });
    await purgeReviewKeys(env.DB);
    expect(await rowsOfDeliverable("review_codes", id)).toHaveLength(1);
    await age(id, 25 * 60);
    await env.DB.prepare(
      "UPDATE review_keys SET expires_at = '2020-01-01T00:00:00.000Z' WHERE deliverable_id = ?",
    )
      .bind(id)
      .run();
    await purgeReviewKeys(env.DB);
    expect([await rowsOfDeliverable("review_codes", id), await rowsOfDeliverable("review_keys", id)]).toEqual(
      [[], []],
    );
  });
});
