import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { insert } from "../support/filled-workspace.ts";
import { post } from "../support/partner.ts";
import { mailedKey, makeReview, Reviewer, rowsOfDeliverable } from "../support/reviewer.ts";
import { newSession, sessionCookie } from "../support/settings.ts";
import { wordsOf } from "../support/words.ts";

const clientsForms = ["feedback", "sign-off", "code", "verify"].map((form) => `/${form}"`);

/** A review with its client, who followed the e-mailed link, and the workspace's owner, who has only the bare link. */
async function makeOpened(fields: object = {}) {
  const review = await makeReview(fields);
  const client = new Reviewer(`https://app.example.com${review.visitor.path}`);
  const link = `https://app.example.com${client.path}/${await mailedKey(review.id)}`;
  await client.follow(link);
  const owner = review.visitor;
  owner.bring(sessionCookie, await newSession(review.studio.ownerEmail));
  return { ...review, client, owner, link };
}

const openingsOf = async (id: string) =>
  (await rowsOfDeliverable("review_openings", id)).map(
    ({ visitor, version_number }) => `${visitor} ${version_number}`,
  );

describe("a review's agency view", () => {
  it("shows openings, the client's options and a reply form to an owner with the bare link [P25]", async () => {
    const { studio, id, client, owner } = await makeOpened();
    expect(wordsOf(await owner.read())).toContain("Who opened it No one yet.");
    await client.post("versions/1/opened", {});
    await post(studio, `/api-v1/deliverables/${id}/send`, {});
    const page = await owner.read();
    const words = wordsOf(page);
    expect(words).toMatch(/Who opened it Nora Wind Version 1 /);
    expect(words).toContain("What Nora Wind can do now Comment, request changes, and sign off version 1.");
    expect(words).toContain("Waiting for the client");
    expect(page).toContain(`action="${owner.path}/reply"`);
    for (const form of clientsForms) expect(page).not.toContain(form);
    expect(words).toContain("Their personal link works until");
    const expire = "UPDATE review_keys SET expires_at = '2026-01-31T09:30:00.000Z' WHERE deliverable_id = ?";
    await env.DB.prepare(expire).bind(id).run();
    expect(wordsOf(await owner.read())).toContain("they have no personal link that works");
  });

  it("is linked from the client's page when the owner followed the personal link [P25]", async () => {
    const { id, owner, link } = await makeOpened();
    await owner.follow(link);
    const page = await owner.read();
    expect(page).toContain(`href="${owner.path}/agency"`);
    expect(page).toContain(`action="${owner.path}/sign-off"`);
    // A visit by the workspace is not recorded as an opening by the client.
    expect(page).not.toContain("data-opened");
    const view = await owner.read("/agency");
    expect(wordsOf(view)).toContain("Who opened it");
    for (const form of clientsForms) expect(view).not.toContain(form);
    const [, form_id = ""] = /name="form_id" value="([^"]+)"/.exec(view) ?? [];
    const reply = await owner.post("agency/reply", { form_id, reply: "It is larger now." });
    expect(reply.headers.get("location")).toBe(`${owner.path}/agency?done=reply#done`);
    expect(await rowsOfDeliverable("feedback", id)).toMatchObject([{ kind: "reply" }]);
  });

  it("is never shown to a client, to a member who is not an admin, or to another workspace's owner [P25]", async () => {
    const { studio, client, owner } = await makeOpened();
    const { studio: other } = await makeReview();
    const email = `${crypto.randomUUID()}@studio.example`;
    await insert("members", { organization_id: studio.organizationId, email, role: "member" });
    const strangers = [client, new Reviewer(`https://app.example.com${owner.path}`)];
    for (const token of [await newSession(other.ownerEmail), await newSession(email)]) {
      const stranger = new Reviewer(`https://app.example.com${owner.path}`);
      stranger.bring(sessionCookie, token);
      strangers.push(stranger);
    }
    for (const stranger of strangers) {
      expect(wordsOf(await stranger.read())).not.toContain("Who opened it");
      const answer = await stranger.fetch(`${owner.path}/agency`);
      expect([answer.status, answer.headers.get("location")]).toEqual([303, owner.path]);
    }
  });
});

describe("an opening of a review", () => {
  it("is recorded once per visitor, version and day, but never by a GET [P26]", async () => {
    const { studio, id, client, owner } = await makeOpened();
    await post(studio, `/api-v1/deliverables/${id}/versions`, {});
    expect(await client.read()).toContain(`data-opened="${client.path}/versions/2/opened"`);
    expect(await openingsOf(id)).toEqual([]);
    for (const number of [2, 2, 1])
      expect((await client.post(`versions/${number}/opened`, {})).status).toBe(204);
    expect(await openingsOf(id)).toEqual([" 1", " 2"]);
    await env.DB.prepare(
      `INSERT INTO review_openings SELECT organization_id, deliverable_id, '2026-01-31', 2, '', '2026-01-31T09:30:00.000Z'
        FROM review_openings WHERE deliverable_id = ? AND version_number = 2`,
    )
      .bind(id)
      .run();
    expect(await openingsOf(id)).toHaveLength(3);
    await new Reviewer(`https://app.example.com${client.path}`).comment("Larger", { author_name: "Max" });
    // Newest first, with only three visible.
    expect(wordsOf(await owner.read())).toMatch(
      /Who opened it Max .* Earlier Nora Wind Version 2 31 January/,
    );
  });

  it("is not recorded without a key, for an unknown version or in a fenced workspace [P26]", async () => {
    const { studio, id, client } = await makeOpened();
    const stranger = new Reviewer(`https://app.example.com${client.path}`);
    expect(await stranger.read()).not.toContain("data-opened");
    const close = env.DB.prepare("INSERT INTO fences (id, hides) VALUES (?, 0)").bind(studio.organizationId);
    const tried = [await stranger.post("versions/1/opened", {}), await client.post("versions/2/opened", {})];
    tried.push(await client.post("versions/0/opened", {}), await client.post("versions/x/opened", {}));
    await close.run();
    tried.push(await client.post("versions/1/opened", {}));
    expect(tried.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
    expect(await openingsOf(id)).toEqual([]);
  });

  it("is recorded when a visitor first submits a form, under the name on the form [P26]", async () => {
    const { id, client, owner } = await makeOpened();
    const stranger = new Reviewer(`https://app.example.com${client.path}`);
    for (const body of ["Larger", "Even larger"]) await stranger.comment(body, { author_name: "Max" });
    await client.signOff();
    expect(await openingsOf(id)).toEqual([" 1", "Max 1"]);
    expect(wordsOf(await owner.read())).toContain("Max name not confirmed Version 1");
  });
});
