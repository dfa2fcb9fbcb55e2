import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { type SentMail, watchMails } from "../support/mails.ts";
import { post } from "../support/partner.ts";
import { readDeliverable } from "../support/review.ts";
import { makeReview, type Reviewer, rowsOfDeliverable } from "../support/reviewer.ts";

/**
 * How often each pair of concurrent requests is tried. One request must win, and the other must get the result of the
 * first.
 */
const rounds = 8;

let mails: SentMail[];
beforeEach(() => {
  mails = watchMails();
});

async function inReview() {
  const made = await makeReview();
  await post(made.studio, `/api-v1/deliverables/${made.id}/send`, {});
  const mail = mails.findLast(({ subject }) => subject.endsWith("is ready for your review"));
  await made.visitor.follow(/^https:\S+$/m.exec(mail?.text ?? "")?.[0] ?? "");
  return made;
}

const signature = async (visitor: Reviewer) => ({
  ...(await visitor.form("sign-off")),
  signer_name: "Nora",
  consent: "on",
});

const inAnyOrder = async (first: () => Promise<Response>, second: () => Promise<Response>, round: number) => {
  const [one, other] = round % 2 ? [second, first] : [first, second];
  const answers = await Promise.all([one(), other()]);
  return round % 2 ? answers.reverse() : answers;
};

describe.each(Array.from({ length: rounds }, (_, round) => round))("concurrently, in round %i,", (round) => {
  it("a sign-off and a new version never both succeed", async () => {
    const { studio, id, visitor } = await inReview();
    const form = await signature(visitor);
    const [signed, appended] = await inAnyOrder(
      () => visitor.post("sign-off", form),
      () => post(studio, `/api-v1/deliverables/${id}/versions`, { note: "Newer" }),
      round,
    );
    expect([
      [303, 409],
      [409, 201],
    ]).toContainEqual([signed?.status, appended?.status]);
    const rows = await rowsOfDeliverable("sign_offs", id);
    expect(rows.map(({ version_number }) => version_number)).toEqual(signed?.status === 303 ? [1] : []);
    expect((await readDeliverable(studio, id)).version_number).toBe(appended?.status === 201 ? 2 : 1);
  });

  it("a sign-off and a change request never both succeed", async () => {
    const { id, visitor } = await inReview();
    const form = await signature(visitor);
    const wish = {
      ...(await visitor.form("feedback")),
      kind: "change_request",
      author_name: "Piet",
      body: "Wait",
    };
    const [signed, wished] = await inAnyOrder(
      () => visitor.post("sign-off", form),
      () => visitor.post("feedback", wish),
      round,
    );
    expect([
      [303, 409],
      [409, 303],
    ]).toContainEqual([signed?.status, wished?.status]);
    const both = [await rowsOfDeliverable("sign_offs", id), await rowsOfDeliverable("feedback", id)].map(
      (rows) => rows.length,
    );
    expect(both).toEqual(signed?.status === 303 ? [1, 0] : [0, 1]);
  });

  it("only one of two sign-offs succeeds, with one event and one e-mail each to the owner and the client", async () => {
    const { id, visitor } = await inReview();
    const [mine, theirs] = [await signature(visitor), { ...(await signature(visitor)), signer_name: "Piet" }];
    const answers = await inAnyOrder(
      () => visitor.post("sign-off", mine),
      () => visitor.post("sign-off", theirs),
      round,
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(await rowsOfDeliverable("sign_offs", id)).toMatchObject([
      { signer_name: answers[0]?.status === 303 ? "Nora" : "Piet" },
    ]);
    const events = await env.DB.prepare(
      "SELECT count(*) AS n FROM events WHERE event = 'signoff.recorded' AND subject_id = ?",
    )
      .bind(id)
      .first("n");
    expect([events, (await rowsOfDeliverable("review_notices", id)).length]).toEqual([1, 2]);
  });
});

describe("the database", () => {
  it("allows a sign-off only for the newest version, and no feedback after it", async () => {
    const { studio, id } = await inReview();
    await post(studio, `/api-v1/deliverables/${id}/versions`, { note: "Newer" });
    const insert = (table: string, columns: string, values: string) =>
      env.DB.prepare(
        `INSERT INTO ${table} (id, organization_id, deliverable_id, ${columns}) VALUES (?, ?, ?, ${values})`,
      )
        .bind(crypto.randomUUID(), studio.organizationId, id)
        .run();
    await expect(insert("sign_offs", "version_number, signer_name", "1, 'N'")).rejects.toThrow(
      "version_not_newest",
    );
    await insert("sign_offs", "version_number, signer_name", "2, 'N'");
    await expect(
      insert("feedback", "version_number, kind, body, author_name", "2, 'comment', 'b', 'N'"),
    ).rejects.toThrow("deliverable_signed_off");
  });
});
