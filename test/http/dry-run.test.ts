import { env } from "cloudflare:workers";
import { describe, expect, it, onTestFinished } from "vitest";
import { claimLimits } from "../../src/contract/limits.ts";
import { startClock, stopClock } from "../support/clock.ts";
import { coordinatorStub } from "../support/coordinator.ts";
import { comparable, type Outcome, outcomeOf, predicted } from "../support/dry-run-outcome.ts";
import { images } from "../support/images.ts";
import { watchMails } from "../support/mails.ts";
import { call, post } from "../support/partner.ts";
import { makeRecords } from "../support/records.ts";
import { ask, keyedRoutes, namedRoutes, pathTo, successOf, validRequest } from "../support/requests.ts";
import {
  aDeliverable,
  countRows,
  imagesInBucket,
  makeClient,
  makeDeliverable,
  makeStudio,
  signOff,
} from "../support/review.ts";
import { countSideEffects, snapshotOf } from "../support/snapshot.ts";
import { register } from "../support/webhooks.ts";
import { insertToken, makePlan, makeWorkspace, type Workspace } from "../support/workspace.ts";

const dry = async (workspace: { token: string }, path: string, body: unknown, key?: string) =>
  outcomeOf(await call(workspace, `${path}?dry_run=true`, { body, ...(key === undefined ? {} : { key }) }));

/**
 * Sends a request as a dry run and then for real. Both must get the same response, and the dry run must not save
 * anything.
 */
async function rehearse(workspace: Workspace, path: string, body: unknown): Promise<Outcome> {
  const key = crypto.randomUUID();
  const left = countSideEffects();
  const before = await snapshotOf(workspace);
  const leftBefore = left();
  const rehearsal = await dry(workspace, path, body, key);
  expect(await snapshotOf(workspace)).toBe(before);
  expect(left()).toBe(leftBefore);
  const real = await outcomeOf(await post(workspace, path, body, key));
  expect(comparable(predicted(rehearsal))).toEqual(comparable(real));
  return rehearsal;
}

describe.each(keyedRoutes)("$name with dry_run=true", ({ route }) => {
  it("returns 200 with the would-be response and has no effect [I12]", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    await register(workspace);
    const { path, body } = validRequest(route, records);
    const { status, body: answer } = await rehearse(workspace, path, body);
    expect([status, answer.dry_run, answer.would_be]).toEqual([200, true, successOf(route)]);
  });

  it("needs no Idempotency-Key and returns null in the key's field [I13]", async () => {
    const workspace = await makeWorkspace();
    const { path, body } = validRequest(route, await makeRecords(workspace));
    const { external_id: _, ...unnamed } = body ?? {};
    const { status, body: answer } = await dry(workspace, path, unnamed);
    expect([status, answer.would_be]).toEqual([200, successOf(route)]);
    for (const field of ["client_ref", "external_id"] as const) expect(answer[field] ?? null).toBeNull();
  });

  it("leaves the key free for the real request [I13]", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    const { path, body } = validRequest(route, records);
    expect((await dry(workspace, path, body, "key")).status).toBe(200);
    const first = await outcomeOf(await ask(route, workspace, { key: "key" }, records));
    expect([first.status, first.body.idempotent_replay]).toEqual([successOf(route), undefined]);
  });

  it("returns the replay for a used key, or 409 for a different request", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    const { path, body } = validRequest(route, records);
    const first = await outcomeOf(await ask(route, workspace, { key: "key" }, records));
    expect(await dry(workspace, path, body, "key")).toEqual({
      status: 200,
      body: { dry_run: true, would_be: 200, ...first.body, idempotent_replay: true },
    });
    const other = route.path.endsWith("/send") ? { message: "other" } : { ...body, ...otherText(body) };
    const { status, body: refusal } = await dry(workspace, path, other, "key");
    expect([status, refusal.code]).toEqual([409, "idempotency_key_reused"]);
  });

  it("rejects what the real request would reject", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    const { path, body } = validRequest(route, records);
    const reader = { ...workspace, token: await insertToken(workspace, ["client:read"]) };
    expect((await dry(reader, path, body)).body.code).toBe("insufficient_scope");
    expect(await dry(workspace, path, { ...body, no_such: 1 })).toEqual({
      status: 400,
      body: { error: "no_such is not a known field" },
    });
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO members (id, organization_id, email, role) VALUES (?, ?, 'new-owner@example.com', 'owner')",
      ).bind(crypto.randomUUID(), workspace.organizationId),
      env.DB.prepare("UPDATE members SET role = 'member' WHERE id = ?").bind(workspace.ownerId),
    ]);
    expect((await dry(workspace, path, body)).body.code).toBe("api_actor_unavailable");
  });

  it("accepts dry_run only once and only as true or false [I15]", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    const { path, body } = validRequest(route, records);
    const asked = async (query: string) =>
      outcomeOf(await call(workspace, path + query, { body, key: "key" }));
    const wrong = { status: 400, body: { error: "dry_run must be one of true, false" } };
    expect(await asked("?dry_run=yes")).toEqual(wrong);
    expect(await asked("?dry_run=")).toEqual(wrong);
    expect(await asked("?dry_run=true&dry_run=true")).toEqual({
      status: 400,
      body: { error: "dry_run may only be given once" },
    });
    expect((await asked("?dry_run=false")).status).toBe(successOf(route));
  });
});

it.each([
  ["/api-v1/projects", "description"],
  ["/api-v1/time-entries", "description"],
  ["/api-v1/invoices", "notes"],
  ["/api-v1/deliverables/{id}/versions", "note"],
  ["/api-v1/deliverables/{id}/send", "message"],
  ["/api-ingest-request", "content"],
])(
  "a dry run of %s accepts every line break in %s that the real request accepts [I12]",
  async (template, field) => {
    const workspace = await makeWorkspace();
    const { route } = keyedRoutes.find((named) => named.route.path === template) ?? {};
    if (!route) throw new Error(`There is no write at ${template}`);
    const { path, body } = validRequest(route, await makeRecords(workspace));
    for (const lineBreak of ["\n", "\r", "\r\n", "\u2028", "\u2029"]) {
      const text = `one${lineBreak}dry_run two${lineBreak}three`;
      expect((await rehearse(workspace, path, { ...body, [field]: text, ...unique() })).status).toBe(200);
    }

    /** Each message needs its own external_id. */
    function unique() {
      return template === "/api-ingest-request" ? { external_id: crypto.randomUUID() } : {};
    }
  },
);

/** A change to one text field in a body. */
function otherText(body: Record<string, unknown> = {}): Record<string, unknown> {
  const field = ["title", "name", "description", "notes", "content", "company_name", "note"].find(
    (name) => name in body,
  );
  return { [field ?? "title"]: "Other" };
}

describe("a dry run", () => {
  it("is rejected for reads, and the legacy create ignores the parameter [I15]", async () => {
    const studio = await makeStudio();
    for (const { route } of namedRoutes.filter(
      ({ route }) => route.kind === "read" && !route.ignoresUnknown,
    )) {
      const answer = await call(studio, `${pathTo(route, crypto.randomUUID())}?dry_run=true`);
      expect(await outcomeOf(answer)).toEqual({
        status: 400,
        body: { error: "dry_run is not a known field" },
      });
    }
    const body = { title: "Logo", client_id: studio.clientId, embed_url: "https://example.com" };
    const answer = await call(studio, "/api-create-deliverable?dry_run=true", { body });
    expect(answer.status).toBe(201);
    expect(await countRows("deliverables", studio)).toBe(1);
  });

  it("counts as one request toward the rate limit", async () => {
    stopClock();
    onTestFinished(startClock);
    const workspace = await makeWorkspace({ plan: await makePlan(2) });
    const statuses = [];
    for (let request = 0; request < 3; request += 1) {
      statuses.push((await dry(workspace, "/api-v1/clients", { client_name: "Ada" })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  it("waits for the request that holds its key and then returns the replay", async () => {
    const workspace = await makeWorkspace();
    const coordinator = coordinatorStub(workspace);
    const held = { key: "key:k", fingerprint: "other", holder: "other" };
    await coordinator.acquire(100, "token", { ...held, isDry: true });
    const free = await coordinator.acquire(100, "token", held);
    expect(free.claim).toEqual({ state: "fresh", waited: false });
    const { status, body } = await dry(workspace, "/api-v1/clients", { client_name: "Ada" }, "k");
    expect([status, body.code]).toEqual([409, "idempotency_key_reused"]);
    await coordinator.release(held);
    const [first, rehearsal] = await Promise.all([
      outcomeOf(await post(workspace, "/api-v1/clients", { client_name: "Ada" }, "k")),
      dry(workspace, "/api-v1/clients", { client_name: "Ada" }, "k"),
    ]);
    expect(predicted(rehearsal)).toEqual({ status: 200, body: { ...first.body, idempotent_replay: true } });
  });
});

describe("the checks of a dry run", () => {
  it("include the plan's record limit, which a trigger enforces", async () => {
    const workspace = await makeWorkspace();
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO plans (name, api_access, requests_per_minute, records_cap) VALUES (?, 1, 1000, 1)`,
      ).bind(workspace.organizationId),
      env.DB.prepare("UPDATE organizations SET plan = ?1 WHERE id = ?1").bind(workspace.organizationId),
    ]);
    expect((await rehearse(workspace, "/api-v1/clients", { client_name: "Ada" })).status).toBe(200);
    const full = await rehearse(workspace, "/api-v1/clients", { client_name: "Ben" });
    expect([full.status, full.body.resource]).toEqual([422, "records"]);
  });

  it("include revision allowances, sign-offs and the storage limit", async () => {
    const studio = await makeStudio({ project: { included_revision_rounds: 1 } });
    const id = await makeDeliverable(studio, { project_id: studio.projectId });
    const versions = `/api-v1/deliverables/${id}/versions`;
    expect((await rehearse(studio, versions, { image_base64: images.png })).status).toBe(200);
    expect((await rehearse(studio, versions, { note: "again" })).body.code).toBe("revision_over_budget");
    const plan = await makePlan(1_000);
    await env.DB.batch([
      env.DB.prepare("UPDATE plans SET storage_mb = 0 WHERE name = ?").bind(plan),
      env.DB.prepare("UPDATE organizations SET plan = ? WHERE id = ?").bind(plan, studio.organizationId),
    ]);
    const large = aDeliverable(studio, { image_base64: images.png });
    const full = await rehearse(studio, "/api-v1/deliverables", large);
    expect([full.status, full.body.resource]).toEqual([422, "storage"]);
    await signOff(studio, id);
    expect((await rehearse(studio, versions, {})).body.code).toBe("deliverable_signed_off");
  });

  it("include images, without storing an image or deleting an identical one", async () => {
    const studio = await makeStudio();
    const body = aDeliverable(studio, { embed_url: undefined, image_base64: images.png });
    const { body: answer } = await rehearse(studio, "/api-v1/deliverables", body);
    expect(await imagesInBucket(studio)).toEqual([answer.asset_path]);
    await rehearse(studio, "/api-v1/deliverables", body);
  });
});

describe("a dry run of a send", () => {
  const sendPath = (id: string) => `/api-v1/deliverables/${id}/send`;

  it("shows the e-mail with a masked address and a placeholder for the link [I14]", async () => {
    const mails = watchMails();
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    const message = "Here is the larger headline.";
    const { body } = await dry(studio, sendPath(id), { message });
    expect(mails).toEqual([]);
    const key = crypto.randomUUID();
    expect((await post(studio, sendPath(id), { message }, key)).status).toBe(200);
    const [sent] = mails;
    expect(body.mail).toEqual({
      to: "n•••@n•••.example",
      subject: sent?.subject,
      text: sent?.text
        .replace(/(?<=\/review\/[\w-]{32}\/)[\w-]+/, "PERSONAL-LINK")
        .replaceAll("nora@northwind.example", "n•••@n•••.example"),
    });
    expect(JSON.stringify(body)).not.toContain("nora@northwind.example");
    const replay = await dry(studio, sendPath(id), { message }, key);
    expect([replay.body.idempotent_replay, replay.body.mail]).toEqual([true, undefined]);
  });

  it("returns the same warning as the real send", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    expect((await rehearse(studio, sendPath(id), {})).body.status_warning).toMatch(/No status is flagged/);
    await env.DB.prepare("UPDATE organizations SET on_send_status_label = 'Sent' WHERE id = ?")
      .bind(studio.organizationId)
      .run();
    expect((await rehearse(studio, sendPath(id), {})).body.status_warning).toBeNull();
  });

  it("is rejected without a recipient or over the daily e-mail limit", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    await env.DB.prepare(
      `INSERT INTO mail_counts (day, organization_id, address, mails)
        VALUES (date('now'), ?, 'nora@northwind.example', 1000)`,
    )
      .bind(studio.organizationId)
      .run();
    const limited = await rehearse(studio, sendPath(id), {});
    expect([limited.status, limited.body.resource]).toEqual([429, "mails"]);
    const client_id = await makeClient(studio, { email: undefined });
    const nobody = await makeDeliverable(studio, { client_id });
    expect((await rehearse(studio, sendPath(nobody), {})).body.code).toBe("client_email_missing");
  });

  it("keeps the ledger entry of an e-mail in progress, even after the lease ends", async () => {
    const studio = await makeStudio();
    const id = await makeDeliverable(studio);
    const ended = new Date(Date.now() - claimLimits.leaseSeconds * 1000).toISOString();
    const fingerprint = await fingerprintOf(studio, id);
    await env.DB.prepare(
      `INSERT INTO requests (organization_id, key, fingerprint, request_id, actor, action, subject_id, lease_ends_at)
        VALUES (?, 'key:dead', ?, 'r', 't', 'deliverable.sent', ?, ?)`,
    )
      .bind(studio.organizationId, fingerprint, id, ended)
      .run();
    const before = await snapshotOf(studio);
    const { status, body } = await dry(studio, sendPath(id), {}, "dead");
    expect([status, body.would_be]).toEqual([200, 200]);
    expect(await snapshotOf(studio)).toBe(before);
  });

  /** The fingerprint that a send is stored with, read from a send with another key. */
  async function fingerprintOf(studio: Workspace, id: string): Promise<string | null> {
    expect((await post(studio, sendPath(id), {}, "model")).status).toBe(200);
    const line = "SELECT fingerprint FROM requests WHERE organization_id = ? AND key = 'key:model'";
    return env.DB.prepare(line).bind(studio.organizationId).first("fingerprint");
  }
});
