import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call } from "../support/partner.ts";
import { makeRecords } from "../support/records.ts";
import { ask, namedRoutes, successOf, writeRoutes } from "../support/requests.ts";
import { rowCounts } from "../support/rows.ts";
import { insertToken, makeWorkspace, type Workspace } from "../support/workspace.ts";

const invalidToken = { error: "Invalid or missing API token" };
const invalidApikey = { error: "Invalid or missing apikey" };
const apiAccess = { code: "upgrade_required", capability: "api_access" };

const unknownToken = `svc_${"0123456789ab".repeat(3)}`;

const malformedTokens: [string, (token: string) => string][] = [
  ["nothing", () => ""],
  ["another scheme", (token) => `Basic ${token}`],
  ["the scheme in lower case", (token) => `bearer ${token}`],
  ["no scheme", (token) => token],
  ["no token", () => "Bearer "],
  ["two spaces", (token) => `Bearer  ${token}`],
  ["hexadecimal digits in upper case", (token) => `Bearer ${token.toUpperCase().replace("SVC_", "svc_")}`],
  ["one digit too few", (token) => `Bearer ${token.slice(0, -1)}`],
  ["one digit too many", (token) => `Bearer ${token}0`],
  ["a letter that is not hexadecimal", (token) => `Bearer ${token.slice(0, -1)}g`],
  ["another prefix", (token) => `Bearer ${token.replace("svc_", "sk__")}`],
  ["two tokens", (token) => `Bearer ${token}, Bearer ${token}`],
];

/** Adds a second owner first, because the last owner cannot be demoted. */
const setRole = ({ organizationId, ownerId }: Workspace, role: string) =>
  env.DB.batch([
    env.DB.prepare(
      `INSERT INTO members (id, organization_id, email, role) VALUES (?1, ?1, 'other@example.com', 'owner') ON
        CONFLICT DO NOTHING`,
    ).bind(organizationId),
    env.DB.prepare("UPDATE members SET role = ? WHERE id = ?").bind(role, ownerId),
  ]);

describe.each(namedRoutes)("$name", ({ route }) => {
  it("rejects a missing or wrong apikey with any token [E4]", async () => {
    const workspace = await makeWorkspace();
    for (const apikey of ["", "wrong", `${env.GATEWAY_PUBLIC_KEY}x`, env.GATEWAY_PUBLIC_KEY.toUpperCase()]) {
      for (const token of [workspace.token, unknownToken]) {
        const answer = await ask(route, workspace, { token, headers: { apikey } });
        expect([apikey, answer.status, await answer.json()]).toEqual([apikey, 401, invalidApikey]);
        expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      }
    }
  });

  it("rejects a missing, malformed, unknown or revoked token with the same text [A3, E4]", async () => {
    const workspace = await makeWorkspace();
    const refused = async (title: string, answer: Response) => {
      expect([title, answer.status, await answer.json()]).toEqual([title, 401, invalidToken]);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    };
    for (const [title, header] of malformedTokens) {
      const authorization = header(workspace.token);
      await refused(title, await ask(route, workspace, { token: null, headers: { authorization } }));
    }
    await refused("unknown", await ask(route, workspace, { token: unknownToken }));
    await env.DB.prepare(
      "UPDATE api_tokens SET revoked_at = '2026-01-31T09:30:00.000Z' WHERE organization_id = ?",
    )
      .bind(workspace.organizationId)
      .run();
    await refused("revoked", await ask(route, workspace));
  });

  it("returns 403 upgrade_required while the organization has no api_access", async () => {
    const workspace = await makeWorkspace();
    const setPlan = (plan: string) =>
      env.DB.prepare("UPDATE organizations SET plan = ? WHERE id = ?")
        .bind(plan, workspace.organizationId)
        .run();
    await setPlan("free");
    const answer = await ask(route, workspace);
    expect([answer.status, await answer.json()]).toEqual([403, { ...apiAccess, error: expect.any(String) }]);
    await setPlan("agency");
    expect((await ask(route, workspace)).status).toBe(successOf(route));
  });

  it("requires exactly the route's scope [R15, G3]", async () => {
    const workspace = await makeWorkspace({ scopes: route.scope ? [route.scope] : [] });
    expect((await ask(route, workspace)).status).toBe(successOf(route));
    if (!route.scope) return;
    const others = namedRoutes.flatMap(({ route: { scope } }) =>
      scope && scope !== route.scope ? [scope] : [],
    );
    const token = await insertToken(workspace, ["invoice:issue", ...others]);
    const answer = await ask(route, workspace, { token });
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { error: expect.any(String), code: "insufficient_scope", required_scope: route.scope },
    ]);
  });

  it("requires the token's creator to be an admin only for writes [A6]", async () => {
    const workspace = await makeWorkspace();
    for (const role of ["member", "none"]) {
      await setRole(workspace, role);
      const answer = await ask(route, workspace);
      if (route.kind === "read") expect([role, answer.status]).toEqual([role, 200]);
      else {
        expect([role, answer.status, await answer.json()]).toEqual([
          role,
          409,
          { error: expect.any(String), code: "api_actor_unavailable" },
        ]);
      }
    }
    await setRole(workspace, "admin");
    expect((await ask(route, workspace)).status).toBe(successOf(route));
  });
});

describe.each(writeRoutes)("$name", ({ route }) => {
  it("writes nothing for a token without its scope", async () => {
    const workspace = await makeWorkspace({ scopes: [] });
    const records = await makeRecords(workspace);
    const before = await rowCounts(workspace);
    expect((await ask(route, workspace, {}, records)).status).toBe(403);
    expect(await rowCounts(workspace)).toEqual(before);
  });
});

it("accepts a token with the reserved invoice:issue scope", async () => {
  const workspace = await makeWorkspace({ scopes: ["invoice:issue", "client:read"] });
  expect((await call(workspace, "/api-v1/clients")).status).toBe(200);
});
