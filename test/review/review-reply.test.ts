import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { admin, refusal } from "../support/admin.ts";
import { addressIn, type SentMail, watchMails } from "../support/mails.ts";
import { call, post } from "../support/partner.ts";
import { makeClient, makeDeliverable, readDeliverable, signOff } from "../support/review.ts";
import { makeReview } from "../support/reviewer.ts";

let mails: SentMail[];
beforeEach(() => {
  mails = watchMails();
});

const body = "Done: it is larger now.\nLook again?";

describe("reply-to-review", () => {
  it("records a reply in the admin's name and e-mails the client a personal link [P20]", async () => {
    const { studio, id, visitor } = await makeReview();
    await post(studio, `/api-v1/deliverables/${id}/send`, { message: "Here it is." });
    mails.length = 0;
    const reply = await admin(studio, "reply-to-review", { deliverable: id, body });
    expect(reply).toMatchObject({
      kind: "reply",
      body,
      author_name: "Owner",
      version_number: 1,
      anchor: null,
    });
    const [mail] = mails;
    expect(mail).toMatchObject({
      to: "nora@northwind.example",
      replyTo: studio.ownerEmail,
      subject: "Owner replied about Homepage concept",
    });
    expect(mail?.text).toContain("> Done: it is larger now.\n> Look again?");
    await visitor.follow(addressIn(mail as SentMail));
    const page = await visitor.read();
    expect(page).toContain("Done: it is larger now.");
    expect(page).toContain("Here it is.");
    expect(page).toContain(">Sign off<");
  });

  it("records feedback without an event or a change of the review state [P20]", async () => {
    const { studio, id, visitor } = await makeReview();
    await visitor.comment("Larger", { kind: "change_request" });
    const before = await readDeliverable(studio, id);
    const { id: replyId } = await admin<{ id: string }>(studio, "reply-to-review", { deliverable: id, body });
    const { review_state, version_number } = await readDeliverable(studio, id);
    expect([review_state, version_number]).toEqual([before.review_state, before.version_number]);
    const { data } = await (await call(studio, `/api-v1/deliverables/${id}/feedback`)).json<{
      data: { id: string; kind: string; attribution: string }[];
    }>();
    expect(data.at(-1)).toMatchObject({ id: replyId, kind: "reply", attribution: "recorded_by_admin" });
    const events = env.DB.prepare("SELECT payload FROM events WHERE organization_id = ?");
    const { results } = await events.bind(studio.organizationId).all<{ payload: string }>();
    expect(results.some(({ payload }) => payload.includes(replyId))).toBe(false);
  });

  it("rejects an unknown or signed-off deliverable", async () => {
    const { studio, id } = await makeReview();
    const unknown = await refusal(studio, "reply-to-review", { deliverable: crypto.randomUUID(), body });
    expect(unknown.message).toContain("no deliverable");
    await signOff(studio, id);
    const signed = await refusal(studio, "reply-to-review", { deliverable: id, body });
    expect(signed.message).toContain("signed off");
    expect(mails).toEqual([]);
  });

  it("does not e-mail a client without an address, and retries a failed e-mail", async () => {
    const { studio, id } = await makeReview();
    const silent = await makeClient(studio, { email: null });
    const other = await makeDeliverable(studio, { client_id: silent });
    await admin(studio, "reply-to-review", { deliverable: other, body });
    expect(mails).toEqual([]);
    vi.spyOn(console, "error").mockImplementation(() => {});
    vi.spyOn(env.EMAIL, "send").mockRejectedValueOnce(new Error("down"));
    await admin(studio, "reply-to-review", { deliverable: id, body });
    const due = "SELECT due_at, attempts FROM review_notices WHERE deliverable_id = ?";
    expect(await env.DB.prepare(due).bind(id).first()).toMatchObject({
      attempts: 1,
      due_at: expect.any(String),
    });
  });
});
