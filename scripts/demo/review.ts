import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Found } from "./lists.ts";
import { type Body, expectAnswer, type Stage } from "./stage.ts";

const poster = readFileSync(join(import.meta.dirname, "poster.png"));

/** A poster goes to the client, comes back with a wish, and is signed off in its second version. */
export async function reviewPoster(stage: Stage, { northwind, relaunch }: Found): Promise<void> {
  const { admin, call, step } = stage;
  let created: Body;
  const path = () => `/api-v1/deliverables/${created.id}`;

  await step("Create a deliverable from a PNG", async () => {
    const body = {
      title: "Launch poster",
      client_id: northwind.id,
      project_id: relaunch.id,
      image_base64: poster.toString("base64"),
    };
    const answer = await call("/api-v1/deliverables", { body, key: "demo-poster" });
    expectAnswer(answer, 201);
    created = answer.body;
    const read = await call(path());
    expectAnswer(read, 200, { review_state: "draft", version_number: 1 });
    assert.match(read.body.asset_path, /\.png$/);
    return created.share_url;
  });

  await step("E-mail it to the client for review", async () => {
    const answer = await call(`${path()}/send`, {
      body: { message: "Here is the poster." },
      key: "demo-send-1",
    });
    expectAnswer(answer, 200, { ok: true, status_warning: null, version_number: 1 });
    expectAnswer(await call(path()), 200, { review_state: "in_review" });
    return "in_review";
  });

  await step("The mail that was sent", async () => {
    const mails = await sentMails(stage);
    assert.equal(mails.length, 1);
    const mail = await readMail(stage, mails[0].messageId);
    assert.deepEqual(mail.to, [northwind.email]);
    assert.ok(mail.text.includes(created.share_url) && mail.html.includes(created.share_url));
    return `From: ${mail.from}\nTo: ${mail.to}\nSubject: ${mail.subject}\n\n${mail.text}`;
  });

  await step("The same send again mails nobody", async () => {
    const answer = await call(`${path()}/send`, {
      body: { message: "Here is the poster." },
      key: "demo-send-1",
    });
    expectAnswer(answer, 200, { ok: true, idempotent_replay: true });
    assert.equal((await sentMails(stage)).length, 1);
    return "200, idempotent_replay: true, still one mail";
  });

  await step("The client asks for a change", async () => {
    const wish = "Could the moon be larger?";
    await admin("record-feedback", {
      deliverable: created.id,
      kind: "change_request",
      body: wish,
      author_name: northwind.client_name ?? northwind.name,
    });
    expectAnswer(await call(path()), 200, { review_state: "changes_requested" });
    return `${wish} → changes_requested`;
  });

  await step("Append a version; what is left out stays as it is", async () => {
    const body = { note: "Larger moon" };
    const answer = await call(`${path()}/versions`, { body, key: "demo-version-2" });
    expectAnswer(answer, 201, { version_number: 2, title: "Launch poster", note: "Larger moon" });
    assert.match(answer.body.previous_hash, /^[a-f0-9]{64}$/);
    expectAnswer(await call(path()), 200, { review_state: "draft", version_number: 2 });
    return `version 2, chained to ${answer.body.previous_hash.slice(0, 12)}…`;
  });

  await step("The client signs it off, and from then on it is terminal", async () => {
    await admin("sign-off-deliverable", {
      deliverable: created.id,
      signer_name: northwind.client_name ?? northwind.name,
    });
    expectAnswer(await call(path()), 200, { review_state: "approved", current_state: "signed_off" });
    const refused = await call(`${path()}/versions`, { body: { note: "Too late" }, key: "demo-version-3" });
    expectAnswer(refused, 409, { code: "deliverable_signed_off" });
    return refused.body.error;
  });
}

/** `wrangler dev` keeps the mails it would have sent. */
const mailbox = "/cdn-cgi/local/explorer/api/local/email/sending";

async function sentMails({ server }: Stage): Promise<Body[]> {
  const { result }: Body = await (await fetch(server.base_url + mailbox)).json();
  return result;
}

async function readMail({ server }: Stage, messageId: string): Promise<Body> {
  const address = `${server.base_url}${mailbox}?email_id=${encodeURIComponent(messageId)}`;
  const { result }: Body = await (await fetch(address)).json();
  return result;
}
