import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { decrypt, encrypt } from "../../src/platform/encryption.ts";
import { servicesOf } from "../../src/services.ts";
import { resealSecrets } from "../../src/webhooks/endpoints/reseal-secrets.ts";
import worker from "../../src/worker.ts";
import { callAdmin } from "../support/admin.ts";
import { makeFilledWorkspace as makeRows } from "../support/filled-workspace.ts";
import { restoreDatabase, setTripOutcomes } from "../support/outages.ts";
import { baseUrl, post } from "../support/partner.ts";
import { register } from "../support/webhooks.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

async function ask(
  path: string,
  changes: Partial<Env>,
  headers: Record<string, string> = {},
  base = baseUrl,
) {
  const execution = createExecutionContext();
  const answer = await worker.fetch(
    new Request(`${base}${path}`, { headers }) as never,
    { ...env, ...changes },
    execution,
  );
  const body = await answer.text();
  await waitOnExecutionContext(execution);
  return { status: answer.status, headers: answer.headers, body };
}

const clients = ({ token }: Workspace, apikey: string, changes: Partial<Env>) =>
  ask("/api-v1/clients", changes, { apikey, authorization: `Bearer ${token}` });

it("either of two apikeys is accepted, but not their list [A2, O12]", async () => {
  const workspace = await makeWorkspace();
  const changes = { GATEWAY_PUBLIC_KEY: "pk_live_new, pk_live_old" };
  for (const apikey of ["pk_live_new", "pk_live_old"])
    expect((await clients(workspace, apikey, changes)).status).toBe(200);
  for (const apikey of ["pk_live_new, pk_live_old", "", ",", "pk_live_third", env.GATEWAY_PUBLIC_KEY])
    expect((await clients(workspace, apikey, changes)).status).toBe(401);
  for (const GATEWAY_PUBLIC_KEY of ["pk_live_new,", "pk_live_new, ", " ,pk_live_new", " "])
    expect((await clients(workspace, "", { GATEWAY_PUBLIC_KEY })).status).toBe(401);
});

it("a cursor signed with the previous key is accepted, but not one signed with an older key [O12]", async () => {
  const workspace = await makeWorkspace();
  for (const client_name of ["Nora", "Kim"]) await post(workspace, "/api-v1/clients", { client_name });
  const headers = { apikey: env.GATEWAY_PUBLIC_KEY, authorization: `Bearer ${workspace.token}` };
  for (const [path, name] of [
    ["/api-v1/clients?limit=1", "next_cursor"],
    ["/api-v1/events?limit=1", "latest_cursor"],
  ] as const) {
    const cursor = encodeURIComponent(
      JSON.parse((await ask(path, { CURSOR_KEY: "old" }, headers)).body)[name] as string,
    );
    const statusBy = async (CURSOR_KEY: string) =>
      (await ask(`${path}&cursor=${cursor}`, { CURSOR_KEY }, headers)).status;
    expect([path, await statusBy("new, old"), await statusBy("new")]).toEqual([path, 200, 400]);
  }
});

describe("development keys", () => {
  const committed: Partial<Env>[] = [
    { GATEWAY_PUBLIC_KEY: "pk_local_0d5f0c2b7a9e4c61" },
    { CURSOR_KEY: "local-development-cursor-key-000000000000000" },
    { CODE_KEY: "local-development-code-key-00000000000000000" },
    { STRIPE_WEBHOOK_SECRET: "whsec_local_4f1c0a9e7b2d4c83" },
    { WEBHOOK_SECRET_KEY: "bG9jYWwtZGV2ZWxvcG1lbnQta2V5LTAwMDAwMDAwMDA=" },
    { SIGN_OFF_KEYS: env.SIGN_OFF_KEYS.replace('"kid":"test"', '"kid":"local"') },
  ];

  it.each(committed)(
    "%j are rejected for every request to a host other than loopback [O13]",
    async (changes) => {
      const log = vi.spyOn(console, "error").mockImplementation(() => {});
      for (const path of ["/api-v1/clients", "/api-v1/openapi.json", "/sign-in", "/review/x", "/rpc"]) {
        const { status, headers, body } = await ask(path, changes);
        expect([path, status, JSON.parse(body)]).toEqual([path, 500, { error: "Unexpected error" }]);
        expect(headers.get("cache-control")).toBe("private, no-store");
        expect(String(log.mock.lastCall)).toContain(headers.get("x-request-id"));
      }
      expect(String(log.mock.calls[0]?.[0])).toContain(Object.keys(changes)[0]);
      expect(String(log.mock.calls[0]?.[0])).not.toContain(Object.values(changes)[0]);
      for (const base of ["http://localhost:8787", "http://127.0.0.1:8787", "http://[::1]:8787"])
        expect((await ask("/api-v1/nowhere", changes, {}, base)).status).toBe(404);
    },
  );
});

it.each([
  ["true", true],
  ["false", false],
  ["TRUE", false],
  ["", false],
  [undefined, false],
])("webhooks to loopback are allowed if ALLOW_LOCAL_WEBHOOK_TARGETS is %j: %s", (given, allowLocal) => {
  const bindings = { ...env, ALLOW_LOCAL_WEBHOOK_TARGETS: given } as Env;
  expect(servicesOf(bindings).webhookTargets.allowLocal).toBe(allowLocal);
});

describe("reseal-webhook-secrets", () => {
  const sealedOf = async (id: string) =>
    env.DB.prepare("SELECT * FROM webhook_endpoints WHERE id = ?")
      .bind(id)
      .first<Record<(typeof sealedColumns)[number], string | null>>();
  const sealedColumns = ["secret_encrypted", "previous_secret_encrypted", "headers_encrypted"] as const;

  it("re-encrypts every secret with the newest key and lists the unreadable ones", async () => {
    const here = await makeRows();
    const { id } = await register(here, "status/200", { headers: '{"X-Key":"1"}' });
    await callAdmin("rotate-webhook-secret", { organization: here.organizationId, id });
    const before = await sealedOf(id);
    const unreadable = await here.endpoint();
    const deleted = await here.endpoint();
    await callAdmin("delete-webhook-endpoint", { organization: here.organizationId, id: deleted });
    const many = JSON.stringify(Array.from({ length: 120 }, () => crypto.randomUUID()));
    await env.DB.prepare(
      `INSERT INTO webhook_endpoints (id, organization_id, url, secret_encrypted, created_by)
        SELECT value, ?, 'https://example.com/', '', ? FROM json_each(?)`,
    )
      .bind(here.organizationId, here.ownerId, many)
      .run();
    const left = "SELECT count(*) AS count FROM webhook_endpoints WHERE deleted_at IS NULL";
    const count = await env.DB.prepare(left).first("count");
    const fresh = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
    const keys = `${fresh},${env.WEBHOOK_SECRET_KEY}`;
    vi.spyOn(console, "error").mockImplementation(() => {});
    const first = await resealSecrets({ db: env.DB, webhookSecretKey: keys });
    expect(first.resealed).toBe(Number(count) - first.unreadable.length);
    expect([
      first.resealed >= 1,
      first.unreadable.includes(unreadable),
      first.unreadable.includes(id),
      first.unreadable.includes(deleted),
    ]).toEqual([true, true, false, false]);
    const after = await sealedOf(id);
    for (const name of sealedColumns)
      expect(await decrypt(fresh, id, String(after?.[name]))).toBe(
        await decrypt(env.WEBHOOK_SECRET_KEY, id, String(before?.[name])),
      );
    expect(await resealSecrets({ db: env.DB, webhookSecretKey: keys })).toMatchObject({
      endpoints: count,
      resealed: 0,
    });
    expect(await callAdmin("reseal-webhook-secrets")).toMatchObject({ ok: true, result: { resealed: 0 } });
  });

  it("fails if the database cannot store a secret, and continues in the next call", async () => {
    const { id } = await register(await makeRows(), "status/200");
    const fresh = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
    const keys = `${fresh},${env.WEBHOOK_SECRET_KEY}`;
    const batch = env.DB.batch.bind(env.DB);
    vi.spyOn(env.DB, "batch").mockImplementation(async (statements) => {
      if (JSON.stringify(statements).includes("update "))
        throw new Error("D1_ERROR: Network connection lost.");
      return (await batch(statements)) as never;
    });
    await expect(resealSecrets({ db: env.DB, webhookSecretKey: keys })).rejects.toThrow(
      "Network connection lost",
    );
    restoreDatabase();
    const trips = setTripOutcomes(() => "through");
    const { unreadable, endpoints } = await resealSecrets({ db: env.DB, webhookSecretKey: keys });
    expect(unreadable).not.toContain(id);
    expect((await sealedOf(id))?.secret_encrypted).toMatch(/^v2\./);
    // One read and one write per hundred endpoints, because an invocation can make only a thousand calls.
    expect(trips()).toBeLessThanOrEqual(2 * Math.ceil((endpoints + 1) / 100));
  });

  it("re-encrypts a previous secret even if the current one already uses the newest key", async () => {
    const { id } = await register(await makeRows(), "status/200");
    const fresh = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
    await env.DB.prepare(
      `UPDATE webhook_endpoints SET secret_encrypted = ?, previous_secret_encrypted = ?,
         previous_secret_expires_at = '2099-01-31T09:30:00.000Z' WHERE id = ?`,
    )
      .bind(await encrypt(fresh, id, "whsec_new"), await encrypt(env.WEBHOOK_SECRET_KEY, id, "whsec_old"), id)
      .run();
    vi.spyOn(console, "error").mockImplementation(() => {});
    await resealSecrets({ db: env.DB, webhookSecretKey: `${fresh},${env.WEBHOOK_SECRET_KEY}` });
    expect(await decrypt(fresh, id, String((await sealedOf(id))?.previous_secret_encrypted))).toBe(
      "whsec_old",
    );
  });

  it("keeps a secret that was rotated during the run", async () => {
    const { id } = await register(await makeRows(), "status/200");
    const fresh = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
    const rotated = await encrypt(fresh, id, "whsec_rotated");
    const batch = env.DB.batch.bind(env.DB);
    vi.spyOn(env.DB, "batch").mockImplementation(async (statements) => {
      const answers = await batch<Record<string, unknown>>(statements);
      if (answers.some(({ results }) => results.some((row) => row.id === id && row.secret_encrypted)))
        await env.DB.prepare("UPDATE webhook_endpoints SET secret_encrypted = ? WHERE id = ?")
          .bind(rotated, id)
          .run();
      return answers as never;
    });
    await resealSecrets({ db: env.DB, webhookSecretKey: `${fresh},${env.WEBHOOK_SECRET_KEY}` });
    expect((await sealedOf(id))?.secret_encrypted).toBe(rotated);
  });
});

it.each([
  ["", undefined],
  ["weur", { locationHint: "weur" }],
])("the coordinator is created in the data region %j", async (DATA_REGION, hint) => {
  const asked: unknown[] = [];
  const { ORGANIZATION_COORDINATOR: coordinators } = env;
  const watched = new Proxy(coordinators, {
    get: (from, name) =>
      name === "getByName"
        ? (id: string, ...options: unknown[]) => {
            asked.push(options[0]);
            return from.getByName(id);
          }
        : Reflect.get(from, name),
  });
  const workspace = await makeWorkspace();
  const changes = { DATA_REGION, ORGANIZATION_COORDINATOR: watched } as Partial<Env>;
  expect((await clients(workspace, env.GATEWAY_PUBLIC_KEY, changes)).status).toBe(200);
  expect(asked.length).toBeGreaterThan(0);
  for (const each of asked) expect(each).toEqual(hint);
});
