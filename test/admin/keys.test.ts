import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { claimLimits } from "../../src/contract/limits.ts";
import { purgeLedger } from "../../src/core/ledger/purge-ledger.ts";
import { type AdminOperation, acceptsKey, answerFromEntry } from "../../src/operations/operation.ts";
import { operations } from "../../src/operations/operations.ts";
import { callAdmin, refusal } from "../support/admin.ts";
import { changesBetween } from "../support/changes.ts";
import { type FilledWorkspace, makeFilledWorkspace, sql } from "../support/filled-workspace.ts";
import { ageForms } from "../support/forms.ts";
import { fieldsWith, unmatchedEvent } from "../support/operation-fields.ts";
import { post } from "../support/partner.ts";
import { signedIn } from "../support/settings.ts";
import { register } from "../support/webhooks.ts";
import { everyRowOf, idsIn, makeWholeWorkspace, unmatchedEventOf } from "../support/whole-workspace.ts";
import { insertToken, makeWorkspace } from "../support/workspace.ts";

/** Operations called with an idempotency key run once and replay their result (contract O19). */

type Fields = Record<string, unknown>;

const reused = "This Idempotency-Key was used for a different request. Use a new key";

const ofWorkspaces = Object.entries(operations).filter(([, { kind }]) => kind === "workspace");
const changing = ofWorkspaces.filter(([, operation]) => acceptsKey(operation));

/** The workspace's rows, except for the tables that webhook deliveries change in the background. */
async function rowsOf(here: FilledWorkspace) {
  const rows = await everyRowOf(here);
  for (const sent of ["unsent_facts", "webhook_deliveries", "webhook_attempts"]) rows.delete(sent);
  return rows;
}

/** Tries fields until an operation succeeds, starting with only the required ones, and returns its result. */
async function goThrough(name: string, operation: AdminOperation, here: FilledWorkspace, key: string) {
  const { organizationId } = here;
  const ids = idsIn(await everyRowOf(here));
  const isOptional = (field: string) => operation.input.shape[field]?.safeParse(undefined).success;
  for (const isBare of [true, false]) {
    for (const all of fieldsWith(operation, ids)) {
      const given = Object.entries(all).filter(
        ([field]) => field !== "position" && !(isBare && isOptional(field)),
      );
      const fields: Fields = {
        ...Object.fromEntries(given),
        organization: organizationId,
        ...("confirm" in all && { confirm: organizationId }),
        ...(all.id === unmatchedEvent && { id: unmatchedEventOf(organizationId) }),
      };
      const outcome = await callAdmin(name, { ...fields, key });
      if (outcome.ok) return { fields, answer: outcome.result as Fields };
    }
  }
  throw new Error(`no fields with which ${name} goes through`);
}

describe("a call with the same key and fields", () => {
  it.each(changing)("%s runs once and replays the first result [O19]", async (name, operation) => {
    const here = await makeWholeWorkspace();
    const key = `key of ${name}`;
    const { fields, answer } = await goThrough(name, operation, here, key);
    expect(answer).not.toHaveProperty("idempotent_replay");
    const rows = await rowsOf(here);
    const repeat = () => callAdmin(name, { ...fields, key });
    const replayed = { ok: true, result: { ...answer, idempotent_replay: true } };
    expect(await repeat()).toEqual(replayed);
    // Simulates a crash before the result was stored. The entry itself was stored in the same batch as the work.
    const isInLine = operation.again === answerFromEntry;
    if (!operation.isSafeToRetry && !isInLine) {
      const own = "organization_id = ? AND key = ? AND action <> ?";
      await sql(
        `UPDATE requests SET answer = '{}' WHERE ${own}`,
        here.organizationId,
        `operation::${key}`,
        name,
      );
      // A delivery may change in the meantime.
      const { updated_at: _, ...record } = "next_attempt_at" in answer ? { id: answer.id } : answer;
      const secret = operation.secret === undefined ? {} : { [operation.secret]: expect.any(String) };
      expect(await repeat()).toMatchObject({ ok: true, result: { ...record, ...secret } });
    }
    const changes = changesBetween(rows, await rowsOf(here));
    expect(changes.filter((entry) => !entry.startsWith("~ requests"))).toEqual([]);
  });

  it.each(ofWorkspaces.filter(([, operation]) => !acceptsKey(operation)))(
    "%s, which is read-only, does not accept a key [O19]",
    async (name) => {
      const outcome = await callAdmin(name, { organization: "demo", key: "a key" });
      expect(outcome).toEqual({
        ok: false,
        message: `${name} changes nothing, so it does not accept a key`,
        hint: null,
      });
    },
  );
});

const made = async (outcome: ReturnType<typeof callAdmin>) => {
  const { ok, ...rest } = await outcome;
  if (!ok) throw new Error(JSON.stringify(rest));
  return (rest as { result: Fields }).result;
};

describe("a key", () => {
  it("is rejected with other fields or another operation [O19]", async () => {
    const here = await makeFilledWorkspace();
    const asked = { organization: here.organizationId, key: "k" };
    const client = await made(callAdmin("create-client", { ...asked, client_name: "Ada" }));
    const other = await refusal(here, "create-client", { client_name: "Grace", key: "k" });
    expect(other.message).toBe(reused);
    expect(
      (await refusal(here, "update-client", { id: client.id, client_name: "Eve", key: "k" })).message,
    ).toBe(reused);
    // Keys of the API are separate from keys of operations.
    expect(
      (await post({ token: await insertToken(here) }, "/api-v1/clients", { client_name: "Ada" }, "k")).status,
    ).toBe(201);
    // An omitted field equals its default value.
    expect(await made(callAdmin("create-client", { ...asked, client_name: "Ada", sample: "false" }))).toEqual(
      {
        ...client,
        idempotent_replay: true,
      },
    );
  });

  it("is released when its call fails [O19]", async () => {
    const here = await makeFilledWorkspace();
    const invoice = await here.draft(100);
    const pay = { invoice, amount: "40", key: "k" };
    await refusal(here, "record-payment", pay);
    await made(callAdmin("issue-invoice", { organization: here.organizationId, id: invoice }));
    const asked = { organization: here.organizationId, ...pay };
    const [one, other] = await Promise.all([
      callAdmin("record-payment", asked),
      callAdmin("record-payment", asked),
    ]);
    const [first, again] = [one, other].map((outcome) => (outcome.ok ? (outcome.result as Fields) : {}));
    expect([first?.id, first?.amount]).toEqual([again?.id, 40]);
    expect([first, again].filter((answer) => answer?.idempotent_replay)).toHaveLength(1);
    expect(await sql("SELECT id FROM payments WHERE invoice_id = ?", invoice)).toHaveLength(1);
    // The same payment with one field changed.
    expect((await refusal(here, "record-payment", { ...pay, amount: "41" })).message).toBe(reused);
  });

  it.each([
    ["", 0],
    ["x".repeat(201), 0],
    [true, 0],
    ["x".repeat(200), 1],
    ["é ".repeat(100), 1],
    // What both "Müller" and "Möller" become when a caller sends them in Latin-1.
    ["M\uFFFDller", 0],
  ])("has 1 to 200 characters, all of them ASCII or UTF-8: %j", async (key, clients) => {
    const here = await makeWorkspace();
    const outcome = await callAdmin("create-client", {
      organization: here.organizationId,
      client_name: "Ada",
      key,
    });
    expect(outcome.ok).toBe(clients === 1);
    expect(await sql("SELECT id FROM clients WHERE organization_id = ?", here.organizationId)).toHaveLength(
      clients,
    );
  });

  it("replays a result that changed nothing, even after later changes [O19]", async () => {
    const here = await makeFilledWorkspace();
    const { id } = await register(here, "status/200");
    const asked = { organization: here.organizationId, id };
    const first = await made(callAdmin("enable-webhook-endpoint", { ...asked, key: "k" }));
    await made(callAdmin("disable-webhook-endpoint", asked));
    const again = await made(callAdmin("enable-webhook-endpoint", { ...asked, key: "k" }));
    expect(again).toEqual({ ...first, idempotent_replay: true });
    expect(await sql("SELECT enabled FROM webhook_endpoints WHERE id = ?", id)).toEqual([{ enabled: 0 }]);
  });

  it("replays the result if the response was lost after the commit [O20]", async () => {
    const here = await makeFilledWorkspace();
    const invoice = await here.openInvoice(100);
    const asked = { organization: here.organizationId, invoice, amount: "40", key: "k" };
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { DB } = env;
    const batch = DB.batch.bind(DB);
    let isLost = false;
    const spied = vi.spyOn(DB, "batch").mockImplementation(async (statements) => {
      const results = await batch(statements);
      const isWork = results.some(({ meta }) => meta.changed_db);
      if (!isWork || isLost) return results as never;
      isLost = true;
      throw new Error("the answer was lost");
    });
    expect((await callAdmin("record-payment", asked)).ok).toBe(false);
    spied.mockRestore();
    expect(isLost).toBe(true);
    const again = await made(callAdmin("record-payment", asked));
    expect(again).toMatchObject({ amount: 40, invoice: { amount_paid: 40 }, idempotent_replay: true });
    expect(await made(callAdmin("record-payment", asked))).toEqual(again);
  });

  it("is never logged [O20]", async () => {
    const logs = (["log", "error", "warn"] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(() => {}),
    );
    const here = await makeWorkspace();
    const browser = await signedIn(here.ownerEmail);
    const headers = { "idempotency-key": "the key of one call" };
    await browser.rpc("create_client", { client_name: "Ada" }, headers);
    await browser.rpc("create_client", { client_name: "Grace" }, headers);
    await browser.rpc("list_members", {}, headers);
    const told = JSON.stringify(logs.map(({ mock }) => mock.calls));
    vi.restoreAllMocks();
    expect(told).toContain("/rpc/create_client");
    expect(told).not.toContain("the key of one call");
  });
});

describe("a secret", () => {
  it.each([
    ["create-api-token", "token", async () => ({ name: "Timer" })],
    ["create-webhook-endpoint", "secret", async () => ({ url: "https://93.184.216.34/hook" })],
    [
      "rotate-webhook-secret",
      "secret",
      async (here: FilledWorkspace) => ({ id: (await register(here, "status/200")).id }),
    ],
    [
      "roll-api-token",
      "token",
      async ({ organizationId }: FilledWorkspace) => ({
        id: (await made(callAdmin("create-api-token", { organization: organizationId, name: "Timer" }))).id,
      }),
    ],
  ] as const)(
    "from %s is replayed to the same actor for one minute [O20]",
    async (name, secret, fieldsIn) => {
      const here = await makeFilledWorkspace();
      await made(
        callAdmin("set-member", { organization: here.organizationId, email: "kim@x.example", role: "admin" }),
      );
      const asked = { organization: here.organizationId, ...(await fieldsIn(here)), key: "k" };
      const first = await made(callAdmin(name, asked));
      expect(first[secret]).toMatch(/^(svc|whsec)_/);
      const again = { ...first, idempotent_replay: true };
      expect(await made(callAdmin(name, asked))).toEqual(again);
      expect(await made(callAdmin(name, { ...asked, actor: "kim@x.example" }))).toEqual({
        ...again,
        [secret]: null,
      });
      const entry = async () =>
        (
          await sql(
            "SELECT answer, secret_encrypted FROM requests WHERE organization_id = ? AND key = ?",
            here.organizationId,
            "operation::k",
          )
        )[0];
      expect(JSON.stringify(await entry())).not.toContain(String(first[secret]));
      expect(await entry()).toMatchObject({ secret_encrypted: expect.stringMatching(/^v2\./) });
      await ageForms(here, 61);
      expect(await made(callAdmin(name, asked))).toEqual({ ...again, [secret]: null });
      await purgeLedger(env.DB);
      expect(await entry()).toMatchObject({ secret_encrypted: null });
      await ageForms(here, claimLimits.answerDays * 86_400);
      await purgeLedger(env.DB);
      expect(await entry()).toBeUndefined();
    },
  );
});

describe("RPC", () => {
  it("accepts the key in a header and uses the same ledger as the command line [O19]", async () => {
    const here = await makeWorkspace();
    const browser = await signedIn(here.ownerEmail);
    const headers = { "idempotency-key": "k" };
    const first = await browser.rpc("create_client", { client_name: "Ada" }, headers);
    const again = await browser.rpc("create_client", { client_name: "Ada" }, headers);
    expect([first.status, again.status, again.body]).toEqual([
      200,
      200,
      { ...first.body, idempotent_replay: true },
    ]);
    const other = await browser.rpc("create_client", { client_name: "Grace" }, headers);
    expect([other.status, other.body]).toEqual([409, { message: reused, hint: null }]);
    const asked = { organization: here.organizationId, client_name: "Ada", key: "k" };
    expect(await made(callAdmin("create-client", asked))).toEqual(again.body);
    expect((await browser.rpc("list_members", {}, headers)).status).toBe(400);
    expect((await browser.rpc("create_client", { client_name: "Ada", key: "k" })).body.message).toBe(
      "key is not a known field",
    );
  });

  it("returns 409 while an invitation is being sent, and sends it again after a crash [O20]", async () => {
    const here = await makeWorkspace();
    const browser = await signedIn(here.ownerEmail);
    const invite = () =>
      browser.rpc("set_member", { email: "kim@x.example", role: "admin" }, { "idempotency-key": "k" });
    let during: Awaited<ReturnType<typeof invite>> | undefined;
    const { EMAIL } = env;
    const mailed = vi.spyOn(EMAIL, "send").mockImplementation(async () => {
      during ??= await invite();
      return { messageId: "1" };
    });
    const first = await invite();
    expect(during).toMatchObject({ status: 409, body: { hint: null } });
    expect(during?.headers.get("retry-after")).toBe("1");
    expect(await invite()).toMatchObject({ status: 200, body: { ...first.body, idempotent_replay: true } });
    expect(mailed).toHaveBeenCalledTimes(1);
    await sql(
      `UPDATE requests SET answer = NULL, lease_ends_at = '2026-01-01T00:00:00.000Z' WHERE organization_id = ? AND key = 'operation::k'`,
      here.organizationId,
    );
    expect((await invite()).body).toMatchObject({ email: "kim@x.example", status: "invited" });
    expect(mailed).toHaveBeenCalledTimes(2);
    vi.restoreAllMocks();
  });
});

it("the entry of an invitation that crashed before its e-mail is deleted after 30 days", async () => {
  const here = await makeWorkspace();
  const browser = await signedIn(here.ownerEmail);
  const email = `kim-${here.organizationId}@x.example`;
  await browser.rpc("set_member", { email, role: "admin" }, { "idempotency-key": "k" });
  await browser.post(`/settings/org-${here.organizationId}/members`, {
    email,
    role: "member",
    form_id: crypto.randomUUID(),
  });
  await sql(
    `UPDATE requests SET answer = NULL, lease_ends_at = '2026-01-01T00:00:00.000Z' WHERE organization_id = ?`,
    here.organizationId,
  );
  const entries = () =>
    sql("SELECT key FROM requests WHERE organization_id = ? AND subject_id = ?", here.organizationId, email);
  await ageForms(here, claimLimits.answerDays * 86_400 - 60);
  await purgeLedger(env.DB);
  expect(await entries()).toHaveLength(2);
  await ageForms(here, 61);
  await purgeLedger(env.DB);
  expect(await entries()).toEqual([]);
});

describe("the key for an operation outside any workspace", () => {
  it("makes create-organization create only one workspace [O19]", async () => {
    const slug = `fern-${crypto.randomUUID().slice(0, 8)}`;
    const asked = { name: "Fern", slug, plan: "solo", owner_email: "fern@example.com", key: slug };
    const [one, other] = await Promise.all([1, 2].map(() => made(callAdmin("create-organization", asked))));
    expect([one?.id, one?.slug]).toEqual([other?.id, slug]);
    await sql("UPDATE service_requests SET answer = '{}' WHERE subject_id = ?", one?.id);
    expect(await made(callAdmin("create-organization", asked))).toMatchObject({
      id: one?.id,
      idempotent_replay: true,
    });
    expect(await callAdmin("create-organization", { ...asked, slug: `${slug}-2` })).toMatchObject({
      ok: false,
      message: reused,
    });
    expect(await sql("SELECT id FROM organizations WHERE slug GLOB ?", `${slug}*`)).toHaveLength(1);
  });

  it("makes erase-organization replay its result after the erasure [O19]", async () => {
    const here = await makeWholeWorkspace();
    const asked = {
      organization: here.organizationId,
      confirm: `org-${here.organizationId}`,
      key: here.organizationId,
    };
    const first = await made(callAdmin("erase-organization", { ...asked, confirm: here.organizationId }));
    expect(first).toMatchObject({ id: here.organizationId, next: null });
    expect(await made(callAdmin("erase-organization", { ...asked, confirm: here.organizationId }))).toEqual({
      ...first,
      idempotent_replay: true,
    });
    expect(await callAdmin("erase-organization", { ...asked, confirm: "x" })).toMatchObject({ ok: false });
    await sql(
      "UPDATE service_requests SET created_at = '2026-01-01T00:00:00.000Z' WHERE subject_id = ?",
      here.organizationId,
    );
    await purgeLedger(env.DB);
    expect(await sql("SELECT key FROM service_requests WHERE subject_id = ?", here.organizationId)).toEqual(
      [],
    );
  });

  it.each([
    ["reseal-webhook-secrets", {}],
    ["after-restore", { confirm: "true" }],
  ])("makes %s replay its result [O19]", async (name, fields) => {
    const asked = { ...fields, key: crypto.randomUUID() };
    const first = await made(callAdmin(name, asked));
    expect(await made(callAdmin(name, asked))).toEqual({ ...first, idempotent_replay: true });
  });
});
