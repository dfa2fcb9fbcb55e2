import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import type { Route, WriteRoute } from "../../src/http/route.ts";
import { sha256Hex } from "../../src/platform/digest.ts";
import { startClock, stopClock } from "../support/clock.ts";
import { type CallOptions, call } from "../support/partner.ts";
import { makeRecords, type Records } from "../support/records.ts";
import { ask, keyedRoutes, namedRoutes, pathTo, validRequest, writeRoutes } from "../support/requests.ts";
import { insertToken, makePlan, makeWorkspace, type Workspace } from "../support/workspace.ts";

/** Contract R1: which error is returned when a request has several faults. */

// Keeps each test within one rate limit window.
beforeEach(() => stopClock());
afterEach(startClock);

interface Wrong {
  workspace: Workspace;
  records: Records;
  scopeless: string;
  elsewhere: string;
}

/**
 * A workspace that fails every check: no API access in the plan, no scope, no feature, no admin and no requests left.
 */
async function everythingWrong(): Promise<Wrong> {
  const workspace = await makeWorkspace({ plan: await makePlan(1), features: [] });
  const records = await makeRecords(workspace);
  const [scopeless, elsewhere] = [await insertToken(workspace, []), await insertToken(workspace, [])];
  await call(workspace, "/api-v1/clients");
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO members (id, organization_id, email, role) VALUES (?1, ?1, 'other@example.com', 'owner')",
    ).bind(workspace.organizationId),
    env.DB.prepare(`UPDATE api_tokens SET allowed_ips = '["203.0.113.7"]' WHERE token_hash = ?`).bind(
      sha256Hex(elsewhere),
    ),
    env.DB.prepare("UPDATE members SET role = 'member' WHERE id = ?").bind(workspace.ownerId),
    env.DB.prepare("UPDATE organizations SET plan = 'free' WHERE id = ?").bind(workspace.organizationId),
  ]);
  return { workspace, records, scopeless, elsewhere };
}

const setPlan = ({ organizationId }: Workspace, plan: string) =>
  env.DB.prepare("UPDATE organizations SET plan = ? WHERE id = ?").bind(plan, organizationId).run();
const setFeatures = ({ organizationId }: Workspace, features: string[]) =>
  env.DB.prepare("UPDATE organizations SET features = ? WHERE id = ?")
    .bind(JSON.stringify(features), organizationId)
    .run();
const setRole = ({ ownerId }: Workspace, role: string) =>
  env.DB.prepare("UPDATE members SET role = ? WHERE id = ?").bind(role, ownerId).run();

async function refusal(answer: Response): Promise<string> {
  const { code, error } = (await answer.json()) as { code?: string; error?: string };
  return `${answer.status} ${code ?? error}`;
}

describe.each(namedRoutes)("$name", ({ route }) => {
  it("runs the checks in the contract's order and reports the first failure [R1]", async () => {
    const { workspace, records, scopeless, elsewhere } = await everythingWrong();
    const { path } = validRequest(route, records);
    const method = route.method.toUpperCase();
    const wrongBody = route.kind === "write" ? { body: "{" } : {};
    const wrongPath = route.kind === "read" && route.query ? `${path}?limit=0` : path;
    const attempt = (changes: CallOptions) =>
      call(workspace, wrongPath, { method, ...wrongBody, ...changes });
    const nothing = { token: null, headers: { apikey: "" } };

    expect(await refusal(await attempt({ ...nothing, base: "http://api.example.com" }))).toMatch(
      /^403 HTTPS/,
    );
    expect(await refusal(await attempt({ ...nothing, method: "PATCH" }))).toBe("405 Method not allowed");
    expect(await refusal(await attempt(nothing))).toBe("401 Invalid or missing apikey");
    expect(await refusal(await attempt({ token: null }))).toBe("401 Invalid or missing API token");
    expect(await refusal(await attempt({ token: elsewhere }))).toBe("403 upgrade_required");
    await setPlan(workspace, await makePlan(1));
    expect(await refusal(await attempt({ token: elsewhere }))).toBe("403 address_not_allowed");
    expect(await refusal(await attempt({ token: scopeless }))).toBe("429 rate_limit_exceeded");
    await setPlan(workspace, "agency");
    if (!route.scope) return;
    expect(await refusal(await attempt({ token: scopeless }))).toBe("403 insufficient_scope");
    if (route.kind === "read") {
      if (route.query) expect(await refusal(await attempt({}))).toMatch(/^400 limit /);
      return;
    }
    if (route.feature) {
      expect(await refusal(await attempt({}))).toBe("403 feature_disabled");
      await setFeatures(workspace, [route.feature]);
    }
    expect(await refusal(await attempt({}))).toBe("409 api_actor_unavailable");
    await setRole(workspace, "admin");
    if (route.idempotent) expect(await refusal(await attempt({}))).toMatch(/^400 Idempotency-Key /);
    expect(await refusal(await attempt({ key: "key" }))).toBe("400 The body is not valid JSON");
  });
});

it.each([
  ["small", "Ada"],
  ["large", "A".repeat(limits.smallBodyBytes)],
])(
  "a token that is new to the isolate gets a 429 before insufficient_scope: a %s body",
  async (_, client_name) => {
    const workspace = await makeWorkspace({ plan: await makePlan(1) });
    const unseen = { token: await insertToken(workspace, []) };
    await call(workspace, "/api-v1/clients");
    const answer = await call(unseen, "/api-v1/clients", { body: { client_name }, key: "key" });
    expect(await refusal(answer)).toBe("429 rate_limit_exceeded");
  },
);

describe.each(keyedRoutes)("$name", ({ route }) => {
  it("checks the body, then the key, then the business rules", async () => {
    const workspace = await makeWorkspace();
    const records = await makeRecords(workspace);
    expect((await ask(route, workspace, { key: "key" }, records)).ok).toBe(true);
    expect(
      await refusal(await ask(route, workspace, { key: "key", body: { nonsense: true } }, records)),
    ).toMatch(/^400 /);
    const elsewhere = nowhere(route, records);
    if (elsewhere)
      expect(await refusal(await elsewhere(workspace, "key"))).toBe("409 idempotency_key_reused");
    if (elsewhere) expect(await refusal(await elsewhere(workspace, "fresh"))).toMatch(/^40[04] /);
  });
});

function nowhere(route: Route, records: Records) {
  const { path, body } = validRequest(route, records);
  const reference = ["project_id", "client_id"].find((field) => body && field in body);
  if (route.path.includes("{id}")) {
    const other = pathTo(route, crypto.randomUUID());
    return (workspace: Workspace, key: string) => call(workspace, other, { method: "POST", body, key });
  }
  if (!reference) return undefined;
  const { external_id: _, ...changed } = { ...body, [reference]: crypto.randomUUID() } as Record<
    string,
    unknown
  >;
  return (workspace: Workspace, key: string) => call(workspace, path, { method: "POST", body: changed, key });
}

describe.each(writeRoutes.filter(({ route }) => (route as WriteRoute).path.includes("{id}")))(
  "$name",
  ({ route }) => {
    it("returns 400 for a malformed id and 404 not_found for an unknown one [T1]", async () => {
      const workspace = await makeWorkspace();
      const { body } = validRequest(route, await makeRecords(workspace));
      const at = (id: string) =>
        call(workspace, pathTo(route, id), { body: body ?? {}, key: crypto.randomUUID() });
      expect(await refusal(await at("not-an-id"))).toBe("400 id must be a UUID");
      expect(await refusal(await at(crypto.randomUUID()))).toBe("404 not_found");
    });
  },
);
