import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { type SentMail, watchMails } from "../support/mails.ts";
import { post } from "../support/partner.ts";
import {
  countRows,
  makeClient,
  makeDeliverable,
  makeProject,
  makeStudio,
  readDeliverable,
  type Studio,
  signOff,
} from "../support/review.ts";
import { arrived, register } from "../support/webhooks.ts";
import { insertToken } from "../support/workspace.ts";

const path = (id: string) => `/api-v1/deliverables/${id}/send`;
const refusal = async (answer: Response) => [answer.status, await answer.json()];

let mails: SentMail[];
beforeEach(() => {
  mails = watchMails();
});

const flagStatus = ({ organizationId }: Studio, label: string | null) =>
  env.DB.prepare("UPDATE organizations SET on_send_status_label = ? WHERE id = ?")
    .bind(label, organizationId)
    .run();

const eventsOf = async ({ organizationId }: Studio) => {
  const sql = "SELECT event, subject_id FROM events WHERE organization_id = ?";
  return (await env.DB.prepare(sql).bind(organizationId).all()).results;
};

describe("POST /api-v1/deliverables/{id}/send", () => {
  it("names the project, the client and the sender in the e-mail", async () => {
    const studio = await makeStudio();
    const { organizationId } = studio;
    for (const name of ["Ada", "Ben"]) {
      const [ownerId, email] = [crypto.randomUUID(), `${name.toLowerCase()}@northwind.example`];
      await env.DB.prepare(
        "INSERT INTO members (id, organization_id, email, name, role) VALUES (?, ?, ?, ?, 'admin')",
      )
        .bind(ownerId, organizationId, `sender-${email}`, `Sender ${name}`)
        .run();
      const client_id = await makeClient(studio, { client_name: name, email });
      const project_id = await makeProject(studio, client_id, { name: `Project of ${name}` });
      const id = await makeDeliverable(studio, { client_id, project_id });
      const token = await insertToken({ organizationId, ownerId });
      expect((await post({ ...studio, token }, path(id), {})).status).toBe(200);
      const sent = mails.at(-1);
      expect([sent?.to, sent?.replyTo]).toEqual([email, `sender-${email}`]);
      for (const own of [`Hello ${name},`, `Sender ${name}`, `Project of ${name}`])
        expect(sent?.text).toContain(own);
    }
  });

  it("describes the first version as ready, and a later version by its number", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    const sent = async () => {
      expect((await post(studio, path(id), {})).status).toBe(200);
      return mails.at(-1)?.text;
    };
    expect(await sent()).toMatch(/^Homepage concept is ready for you$.*^Version 1\. /ms);
    expect((await post(studio, `/api-v1/deliverables/${id}/versions`, { title: "Second" })).status).toBe(201);
    expect(await sent()).toMatch(/^Version 2 of Second$.*^Version 2\. /ms);
  });

  it("e-mails the client, sets sent_at, clears the reminder and records the event [V16, V17]", async () => {
    const studio = await makeStudio();
    await flagStatus(studio, "With the client");
    const id = await makeDeliverable(studio);
    await env.DB.prepare("UPDATE deliverables SET reminder_due_at = '2026-02-01T00:00:00.000Z' WHERE id = ?")
      .bind(id)
      .run();
    const answer = await post(studio, path(id), {});
    expect(await refusal(answer)).toEqual([
      200,
      {
        ok: true,
        status_warning: null,
        id,
        version_number: 1,
        sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        reminder_due_at: null,
      },
    ]);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.to).toBe("nora@northwind.example");
    expect(await readDeliverable(studio, id)).toMatchObject({
      review_state: "in_review",
      status_label: "With the client",
      sent_at: expect.any(String),
    });
    const reminder = "SELECT reminder_due_at FROM deliverables WHERE id = ?";
    expect(await env.DB.prepare(reminder).bind(id).first("reminder_due_at")).toBeNull();
    expect(await eventsOf(studio)).toEqual([{ event: "deliverable.sent", subject_id: id }]);
  });

  it("delivers its webhook right after the response, without waiting for the cron", async () => {
    const studio = await makeStudio();
    const endpoint = await register(studio);
    await post(studio, path(await makeDeliverable(studio)), {});
    expect(await arrived(endpoint)).toMatchObject([{ headers: { "x-svc-event": "deliverable.sent" } }]);
  });

  it("succeeds with a status_warning if there is no on-send status [V18]", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    const sent = await (await post(studio, path(id), {})).json<{ ok: boolean; status_warning: string }>();
    expect(sent).toMatchObject({ ok: true, status_warning: expect.stringContaining("No status is flagged") });
    expect(mails).toHaveLength(1);
    expect(await readDeliverable(studio, id)).toMatchObject({
      review_state: "in_review",
      status_label: null,
    });
  });

  it("sends one e-mail for 50 simultaneous sends with one key", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(studio, path(id), {}, "key")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const bodies = await Promise.all(answers.map((answer) => answer.json<{ idempotent_replay?: true }>()));
    expect(bodies.filter(({ idempotent_replay }) => idempotent_replay)).toHaveLength(49);
    expect(mails).toHaveLength(1);
    expect(await countRows("deliverable_sends", studio)).toBe(1);
    expect(await eventsOf(studio)).toHaveLength(1);
  });

  it("sends another e-mail for another key", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    for (const key of ["a", "b"]) expect((await post(studio, path(id), {}, key)).status).toBe(200);
    expect(mails).toHaveLength(2);
  });

  it("binds the key to the version, so that a late retry never e-mails a newer version [I5]", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    await post(studio, path(id), {}, "key");
    await post(studio, `/api-v1/deliverables/${id}/versions`, { title: "Second" });
    expect(await refusal(await post(studio, path(id), {}, "key"))).toEqual([
      409,
      expect.objectContaining({ code: "idempotency_key_reused" }),
    ]);
    expect(mails).toHaveLength(1);
    const second = await (await post(studio, path(id), {}, "new")).json<{ version_number: number }>();
    expect(second.version_number).toBe(2);
    expect(mails[1]?.subject).toContain("Second");
  });

  it("treats an empty message as absent", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    await post(studio, path(id), {}, "key");
    const again = await post(studio, path(id), { message: " \n " }, "key");
    expect([again.status, await again.json()]).toEqual([
      200,
      expect.objectContaining({ idempotent_replay: true }),
    ]);
    expect(mails).toHaveLength(1);
  });

  it("rejects a used key for another message or another deliverable", async () => {
    const studio = await makeStudio();
    const [id, other] = [await makeDeliverable(studio), await makeDeliverable(studio)];
    await post(studio, path(id), {}, "key");
    expect((await post(studio, path(id), { message: "Hello" }, "key")).status).toBe(409);
    expect((await post(studio, path(other), {}, "key")).status).toBe(409);
    expect(mails).toHaveLength(1);
  });

  it("rejects an unknown, signed-off or sample deliverable and a missing address, in this order [V20]", async () => {
    const studio = await makeStudio();
    const silent = await makeClient(studio, { email: undefined });
    const id = await makeDeliverable(studio, { client_id: silent });
    const set = (sql: string) => env.DB.prepare(sql).bind(id).run();
    const refused = async (at: string) => {
      const answer = await post(studio, path(at), {}, "key");
      return [answer.status, (await answer.json<{ code: string }>()).code];
    };
    expect(await refused(crypto.randomUUID())).toEqual([404, "not_found"]);
    expect(await refused(id)).toEqual([422, "client_email_missing"]);
    await set("UPDATE deliverables SET is_sample = 1 WHERE id = ?");
    expect(await refused(id)).toEqual([422, "sample_data_never_emailed"]);
    await signOff(studio, id);
    expect(await refused(id)).toEqual([409, "deliverable_signed_off"]);
    expect(mails).toEqual([]);
    expect((await post(studio, path(await makeDeliverable(studio)), {}, "key")).status).toBe(200);
  });

  it("never e-mails a sample deliverable or a sample client [V20]", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    await env.DB.prepare("UPDATE clients SET is_sample = 1 WHERE id = ?").bind(studio.clientId).run();
    expect(await refusal(await post(studio, path(id), {}))).toEqual([
      422,
      { error: "Sample data is never e-mailed", code: "sample_data_never_emailed" },
    ]);
    expect(mails).toEqual([]);
    expect(await countRows("deliverable_sends", studio)).toBe(0);
  });

  it.each([
    [{ message: "x".repeat(2001) }, /^message /],
    [{ to: "someone@example.com" }, /^to is not a known field$/],
  ])("rejects %j", async (body, error) => {
    const studio = await makeStudio();
    const answer = await post(studio, path(await makeDeliverable(studio)), body);
    expect(await refusal(answer)).toEqual([400, { error: expect.stringMatching(error) }]);
    expect(mails).toEqual([]);
  });
});

describe("the review e-mail", () => {
  it("shows the link as text and as a button, and loads nothing", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio, { project_id: studio.projectId });
    const { share_url } = await readDeliverable(studio, id);
    await env.DB.prepare("UPDATE clients SET company_name = 'Northwind' WHERE id = ?")
      .bind(studio.clientId)
      .run();
    await post(studio, path(id), { message: "First line\nSecond line" });
    const [mail] = mails as [SentMail];
    expect(mail.from).toEqual({ name: "Test studio via Countersign", email: "reviews@example.com" });
    expect(mail.replyTo).toBe(studio.ownerEmail);
    expect(mail.subject).toBe("Homepage concept is ready for your review");
    for (const part of [mail.text, mail.html]) {
      for (const said of ["Nora Wind", "Homepage concept", "Relaunch", "Owner", "Test studio", share_url]) {
        expect(part).toContain(said);
      }
      expect(part).toContain("If you did not expect it");
    }
    expect(mail.text).toContain("> First line\n> Second line");
    expect(mail.html).toMatch(/<strong>Owner<\/strong><br>First line<br>Second line<\/blockquote>/);
    const [link] = mail.text.match(/^https:\S+$/m) ?? [];
    expect(link?.replace(/\/[\w-]{43}$/, "")).toBe(share_url);
    expect(mail.html).toContain(`>${link}</a>`);
    expect(mail.html).not.toMatch(/<img|<script|<link|<iframe|url\(|src=/i);
    const addresses = [...mail.html.matchAll(/https?:\/\/[^\s"<]+/g)].map(([address]) => address);
    expect(new Set(addresses)).toEqual(new Set([link]));
  });

  it("escapes every value in the body and the headers", async () => {
    const studio = await makeStudio();
    const hostile = `"><script>alert(1)</script>\r\nBcc: everyone@example.com`;
    await env.DB.prepare("UPDATE organizations SET name = ? WHERE id = ?")
      .bind(hostile, studio.organizationId)
      .run();
    // The API rejects this title, so the test inserts it by SQL.
    const id = await makeDeliverable(studio, { project_id: studio.projectId });
    await env.DB.batch([
      env.DB.prepare("UPDATE deliverables SET title = ? WHERE id = ?").bind(hostile, id),
      env.DB.prepare("UPDATE projects SET name = ? WHERE id = ?").bind(hostile, studio.projectId),
      env.DB.prepare("UPDATE clients SET client_name = ? WHERE id = ?").bind(hostile, studio.clientId),
      env.DB.prepare("UPDATE members SET name = ? WHERE id = ?").bind(hostile, studio.ownerId),
    ]);
    expect((await post(studio, path(id), { message: hostile })).status).toBe(200);
    const [mail] = mails as [SentMail];
    expect(mail.html).not.toContain("<script");
    expect(mail.html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(mail.text).not.toMatch(/^Bcc:/m);
    expect(mail.subject).not.toMatch(/[\r\n]/);
    expect(mail.from.name).not.toMatch(/[\r\n]/);
  });
});
