import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from "jose";
import { linkIn, readMail, sentMails } from "../local/mailbox.ts";
import { runMinute } from "../local/run-minute.ts";
import { runSql } from "../local/run-sql.ts";
import { DemoClient } from "./client.ts";
import { type DemoContext, expectAnswer, type JsonFields } from "./context.ts";
import type { Found } from "./lists.ts";

const dayMs = 86_400_000;

const poster = readFileSync(join(import.meta.dirname, "poster.png"));

/** A poster is sent to the client, gets a change request, and is signed off in its second version. */
export async function reviewPoster(context: DemoContext, { northwind, relaunch }: Found): Promise<void> {
  const { call, server, step } = context;
  const client = new DemoClient(server.base_url);
  let link = "";
  let created: JsonFields;
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

  await step("Clients who do not respond within 3 days will be reminded", async () => {
    assert.deepEqual(await context.admin("set-reminders", { days: "3" }), { reminder_days: 3 });
    return "reminder_days: 3";
  });

  await step("E-mail it to the client for review", async () => {
    const answer = await call(`${path()}/send`, {
      body: { message: "Here is the poster." },
      key: "demo-send-1",
    });
    expectAnswer(answer, 200, { ok: true, status_warning: null, version_number: 1 });
    const { sent_at, reminder_due_at } = answer.body;
    assert.equal(Date.parse(reminder_due_at) - Date.parse(sent_at), 3 * dayMs);
    expectAnswer(await call(path()), 200, { review_state: "in_review", reminder_due_at });
    return "in_review";
  });

  await step("The sent e-mail", async () => {
    const [sent, ...others] = await reviewMails(context);
    assert.ok(sent && others.length === 0);
    const mail = await readMail(context.server.base_url, sent.messageId);
    link = linkIn(mail);
    assert.deepEqual(mail.to, [northwind.email]);
    assert.ok(mail.text.includes(created.share_url) && mail.html.includes(created.share_url));
    return `From: ${mail.from}\nTo: ${mail.to}\nSubject: ${mail.subject}\n\n${mail.text}`;
  });

  await step("Sending again with the same key sends no second e-mail", async () => {
    const answer = await call(`${path()}/send`, {
      body: { message: "Here is the poster." },
      key: "demo-send-1",
    });
    expectAnswer(answer, 200, { ok: true, idempotent_replay: true });
    assert.equal((await reviewMails(context)).length, 1);
    return "200, idempotent_replay: true, still one e-mail";
  });

  await step("Three days later, the client has not responded and is reminded", async () => {
    await runSql(
      server.base_url,
      "UPDATE deliverables SET reminder_due_at = sent_at WHERE id = ?",
      created.id,
    );
    await runMinute(server.base_url);
    const [sent, ...others] = (await sentMails(server.base_url)).filter(({ subject }) =>
      subject.startsWith("Reminder: "),
    );
    assert.ok(sent && others.length === 0);
    const mail = await readMail(server.base_url, sent.messageId);
    link = linkIn(mail);
    const read = await call(path());
    assert.ok(Date.parse(read.body.reminder_due_at) > Date.now());
    return `To: ${mail.to}\nSubject: ${mail.subject}\n\n${mail.text}`;
  });

  await step("The client opens the e-mailed link, sees the work and comments", async () => {
    assert.equal(await client.open(link), 200);
    assert.ok(client.page.includes("Launch poster") && client.page.includes("/versions/1/image"));
    const author_name = northwind.client_name ?? northwind.name;
    const comment = { author_name, body: "What a moon!", kind: "comment" };
    assert.equal(await client.send("feedback", comment), 200);
    assert.ok(client.page.includes("What a moon!"));
    expectAnswer(await call(path()), 200, { reminder_due_at: null });
    const wish = { author_name, body: "Could it be larger?", kind: "change_request" };
    assert.equal(await client.send("feedback", wish), 200);
    expectAnswer(await call(path()), 200, { review_state: "changes_requested" });
    return `${wish.body} → changes_requested`;
  });

  await step("Append a version; omitted fields keep their values", async () => {
    const body = { note: "Larger moon" };
    const answer = await call(`${path()}/versions`, { body, key: "demo-version-2" });
    expectAnswer(answer, 201, { version_number: 2, title: "Launch poster", note: "Larger moon" });
    assert.match(answer.body.previous_hash, /^[a-f0-9]{64}$/);
    expectAnswer(await call(path()), 200, { review_state: "draft", version_number: 2 });
    return `version 2, chained to ${answer.body.previous_hash.slice(0, 12)}…`;
  });

  await step("The client signs it off, and it can no longer change", async () => {
    const sent = await call(`${path()}/send`, { body: {}, key: "demo-send-2" });
    expectAnswer(sent, 200, { version_number: 2 });
    assert.equal(await client.open(new URL(created.share_url).pathname), 200);
    const signer_name = northwind.client_name ?? northwind.name;
    assert.equal(await client.send("sign-off", { signer_name, consent: "on" }), 200);
    assert.ok(client.page.includes("accepted version 2"));
    expectAnswer(await call(path()), 200, { review_state: "approved", current_state: "signed_off" });
    const refused = await call(`${path()}/versions`, { body: { note: "Too late" }, key: "demo-version-3" });
    expectAnswer(refused, 409, { code: "deliverable_signed_off" });
    return refused.body.error;
  });

  await step(
    "The sign-off's proof verifies with the published keys, and a changed proof does not",
    async () => {
      const { body } = await call(`${path()}/sign-off`);
      const keys = createLocalJWKSet(
        (await (await fetch(`${server.base_url}/.well-known/jwks.json`)).json()) as JSONWebKeySet,
      );
      const { payload } = await compactVerify(body.proof, keys);
      const facts: JsonFields = JSON.parse(new TextDecoder().decode(payload));
      assert.equal(facts.version_hash, body.version_hash);
      const forged = Buffer.from(JSON.stringify({ ...facts, signer_name: "Somebody Else" })).toString(
        "base64url",
      );
      const [header, , signature] = body.proof.split(".");
      await assert.rejects(compactVerify(`${header}.${forged}.${signature}`, keys));
      return `${facts.signer_name} signed version ${facts.version_number} of ${facts.title} (${facts.attribution})`;
    },
  );
}

/** E-mails to the client, without the owner's notices about feedback. */
const reviewMails = async ({ server }: DemoContext) =>
  (await sentMails(server.base_url)).filter(({ subject }) =>
    ["Launch poster is ready for your review", "New version 2: Launch poster"].includes(subject),
  );
