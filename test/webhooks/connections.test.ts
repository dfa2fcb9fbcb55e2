import { env, exports } from "cloudflare:workers";
import { beforeEach, describe, expect, inject, it, vi } from "vitest";
import { purgeSessions } from "../../src/workspace/sessions/purge-sessions.ts";
import { admin } from "../support/admin.ts";
import { appRequest, connectByLibrary, exchangeOf, fetchToken, issuer, pressed } from "../support/connect.ts";
import { update } from "../support/filled-workspace.ts";
import { call } from "../support/partner.ts";
import { ownerAtHome, signedIn } from "../support/settings.ts";

let { here, browser } = {} as Awaited<ReturnType<typeof ownerAtHome>>;
let webhook_url: string;
beforeEach(async () => {
  ({ here, browser } = await ownerAtHome());
  webhook_url = `${inject("receivers").http}/status/200/${crypto.randomUUID()}`;
});

const tokensOf = async () =>
  (await admin<Record<string, unknown>[]>(here, "list-api-tokens")).filter(
    ({ connected_app }) => connected_app !== null,
  );
const endpointsOf = () => admin<Record<string, unknown>[]>(here, "list-webhook-endpoints");
const bodyOf = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as object),
});
const ageCode = (seconds: number) =>
  env.DB.prepare(
    `UPDATE connections SET created_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '-' || ? || ' seconds')
     WHERE organization_id = ?`,
  )
    .bind(seconds, here.organizationId)
    .run();

async function agreed(changes: Record<string, string> = {}, fields?: [string, string][]) {
  const request = await appRequest(changes);
  const answer = await pressed(browser, request, fields);
  return exchangeOf(request, answer.get("code"));
}

describe("connecting an app", () => {
  it("creates its token and endpoint in one transaction, and works with an unchanged oauth4webapi [J1]", async () => {
    const request = await appRequest({ scope: "client:read invoice:read deliverable:send", webhook_url });
    let location = "";
    const { server, token } = await connectByLibrary(request, async () => {
      const answer = await browser.post(request.address, [
        ["scope", "client:read"],
        ["scope", "invoice:read"],
        ["scope", "time:write"],
      ]);
      expect([answer.status, await tokensOf(), await endpointsOf()]).toEqual([303, [], []]);
      location = answer.headers.get("location") ?? "";
      return location;
    });
    expect(location).toMatch(
      /^https:\/\/timer\.example\/back\?kept=1&code=[\w-]{43}&state=[\w-]+&iss=https%3A%2F%2Fapp\.example\.com$/,
    );
    expect(server).toMatchObject({ issuer, code_challenge_methods_supported: ["S256"] });
    expect(token).toEqual({
      access_token: expect.stringMatching(/^svc_[a-f0-9]{36}$/),
      token_type: "bearer",
      scope: "client:read invoice:read",
      organization: { id: here.organizationId, slug: `org-${here.organizationId}`, name: "Test studio" },
      apikey: env.GATEWAY_PUBLIC_KEY,
      webhook: { id: expect.any(String), secret: expect.stringMatching(/^whsec_/) },
    });
    const [listed] = await tokensOf();
    expect(listed).toMatchObject({
      name: "timer.example",
      creator: "Owner",
      connected_app: "https://timer.example/app",
      webhook_endpoint_id: (token.webhook as { id: string }).id,
    });
    expect(await endpointsOf()).toMatchObject([
      { url: webhook_url, description: "timer.example", events: ["money"], created_by: here.ownerId },
    ]);
    expect(await admin(here, "audit-log", { limit: "2" })).toMatchObject([
      { action: "webhook_endpoint.created", actor: here.ownerEmail },
      { action: "token.created", actor: here.ownerEmail, details: { app: "https://timer.example/app" } },
    ]);
    expect((await call({ token: token.access_token }, "/api-v1/clients")).status).toBe(200);
  });

  it("subscribes the endpoint only to events that the granted scopes may read [J6]", async () => {
    const asked = {
      scope: "invoice:read deliverable:read",
      webhook_url,
      webhook_events: "invoice.paid,delivery",
    };
    const some = await bodyOf(await fetchToken(await agreed(asked, [["scope", "deliverable:read"]])));
    expect(some).toMatchObject({ status: 200, webhook: { id: expect.any(String) } });
    expect(await endpointsOf()).toMatchObject([{ events: ["delivery"] }]);
    const none = await agreed({ ...asked, webhook_events: "delivery" }, [["scope", "invoice:read"]]);
    expect(await bodyOf(await fetchToken(none))).toMatchObject({ status: 200, webhook: null });
    expect(await endpointsOf()).toHaveLength(1);
  });

  it("keeps a rolled token connected to the app [J8]", async () => {
    await fetchToken(
      await agreed({ scope: "client:read invoice:read", webhook_url }, [["scope", "invoice:read"]]),
    );
    const [first] = await tokensOf();
    await admin(here, "roll-api-token", { id: String(first?.id) });
    const [rolled] = await tokensOf();
    expect(rolled).toMatchObject({ webhook_endpoint_id: first?.webhook_endpoint_id });
    expect(rolled?.id).not.toBe(first?.id);
    await admin(here, "revoke-api-token", { id: String(first?.id) });
    expect(await endpointsOf()).toHaveLength(1);
    await admin(here, "revoke-api-token", { id: String(rolled?.id), with_endpoint: "true" });
    expect(await endpointsOf()).toEqual([]);
    expect(await admin(here, "audit-log", { limit: "2" })).toMatchObject([
      { action: "token.revoked" },
      { action: "webhook_endpoint.deleted" },
    ]);
  });
});

const invalidGrant = { status: 400, error: "invalid_grant" };

describe("an authorization code", () => {
  it("revokes the token and deletes the endpoint if it is exchanged twice [J5]", async () => {
    const exchange = await agreed({ scope: "client:read invoice:read", webhook_url }, [
      ["scope", "invoice:read"],
    ]);
    const first = await fetchToken(exchange);
    const { access_token } = (await first.json()) as { access_token: string };
    await ageCode(300);
    expect(await bodyOf(await fetchToken(exchange))).toMatchObject(invalidGrant);
    expect((await call({ token: access_token }, "/api-v1/token")).status).toBe(401);
    expect([(await tokensOf())[0]?.revoked_at, await endpointsOf()]).toEqual([expect.any(String), []]);
  });

  it("revokes rolled tokens too if it is exchanged twice, and no other connection of the app [J5, J8]", async () => {
    const tokenOf = async (fields: Record<string, string>) =>
      (await (await fetchToken(fields)).json<{ access_token: string }>()).access_token;
    const other = await tokenOf(await agreed({ scope: "client:read", webhook_url: `${webhook_url}/other` }));
    const asked = await agreed({ scope: "client:read invoice:read", webhook_url }, [
      ["scope", "invoice:read"],
    ]);
    const tokens = [await tokenOf(asked)];
    for (const overlap_hours of ["0", "24"]) {
      const [newest] = await tokensOf();
      const rolled = await admin<{ token: string }>(here, "roll-api-token", {
        id: String(newest?.id),
        overlap_hours,
      });
      tokens.push(rolled.token);
    }
    const statuses = () =>
      Promise.all(tokens.map(async (token) => (await call({ token }, "/api-v1/invoices")).status));
    expect(await statuses()).toEqual([401, 200, 200]);
    expect(await bodyOf(await fetchToken(asked))).toMatchObject(invalidGrant);
    expect(await statuses()).toEqual([401, 401, 401]);
    expect((await call({ token: other }, "/api-v1/clients")).status).toBe(200);
    expect(await endpointsOf()).toEqual([]);
  });

  it("leaves no valid token after two concurrent exchanges [J5]", async () => {
    const exchange = await agreed();
    const answers = await Promise.all([fetchToken(exchange), fetchToken(exchange)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await tokensOf()).toMatchObject([{ revoked_at: expect.any(String) }]);
  });

  it("expires after 60 seconds and is deleted after ten minutes [J5]", async () => {
    const exchange = await agreed();
    await ageCode(61);
    expect(await bodyOf(await fetchToken(exchange))).toMatchObject(invalidGrant);
    await ageCode(540);
    await purgeSessions(env.DB);
    const { results } = await env.DB.prepare("SELECT * FROM connections WHERE organization_id = ?")
      .bind(here.organizationId)
      .all();
    expect([await tokensOf(), results]).toEqual([[], []]);
  });

  it.each(["redirect_uri", "client_id", "code_verifier", "code"] as const)(
    "is rejected with another %s, but stays valid [J5]",
    async (name) => {
      const exchange = await agreed();
      const other = {
        ...exchange,
        [name]: exchange[name].replace(/.$/, (last) => (last === "x" ? "y" : "x")),
      };
      expect(await bodyOf(await fetchToken(other))).toMatchObject(invalidGrant);
      expect((await fetchToken(exchange)).status).toBe(200);
    },
  );

  it("is rejected if the admin's role, the plan or the token limit no longer allows a token [J5]", async () => {
    const email = `kim-${here.organizationId}@example.com`;
    await admin(here, "set-member", { email, role: "admin" });
    browser = await signedIn(email);
    const asked = { scope: "client:read invoice:read", webhook_url };
    const codes: Record<string, string>[] = [];
    for (let count = 0; count < 3; count += 1) codes.push(await agreed(asked, [["scope", "invoice:read"]]));
    await admin(here, "set-member", { email, role: "member" });
    const demoted = await bodyOf(await fetchToken(codes.pop() ?? {}));
    await admin(here, "set-member", { email, role: "admin" });
    expect(demoted).toMatchObject(invalidGrant);
    await update("organizations", here.organizationId, { plan: "free" });
    const unpaid = await bodyOf(await fetchToken(codes.pop() ?? {}));
    await update("organizations", here.organizationId, { plan: "agency" });
    expect(unpaid).toMatchObject(invalidGrant);
    await env.DB.prepare(
      `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 199)
       INSERT INTO api_tokens (id, organization_id, name, token_hash, token_prefix, scopes, created_by)
       SELECT ?1 || n, ?1, 'full', ?1 || n, 'svc_', '[]', ?2 FROM number`,
    )
      .bind(here.organizationId, here.ownerId)
      .run();
    expect(await bodyOf(await fetchToken(codes.pop() ?? {}))).toMatchObject(invalidGrant);
    expect([await tokensOf(), await endpointsOf()]).toEqual([[], []]);
  });
});

it("the OAuth metadata has the published origin, whatever host is requested [J10]", async () => {
  const answer = await exports.default.fetch(
    "https://api.example.com/.well-known/oauth-authorization-server",
    {
      headers: { origin: "https://timer.example" },
    },
  );
  expect(answer.headers.get("access-control-allow-origin")).toBe("https://timer.example");
  const metadata = (await answer.json()) as { scopes_supported: string[] };
  expect(metadata).toMatchObject({
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    token_endpoint_auth_methods_supported: ["none"],
    authorization_response_iss_parameter_supported: true,
  });
  expect(metadata.scopes_supported).toContain("deliverable:send");
  expect(metadata.scopes_supported).not.toContain("invoice:issue");
});

describe("POST /oauth/token", () => {
  it.each([
    ["JSON", { grant_type: "authorization_code" }, { "content-type": "application/json" }, "invalid_request"],
    ["a missing field", { grant_type: "authorization_code", code: "x" }, {}, "invalid_request"],
    ["another grant type", { grant_type: "refresh_token" }, {}, "unsupported_grant_type"],
    ["a field twice", { code: "x" }, {}, "invalid_request"],
    ["a client secret", {}, { authorization: "Basic eDp5" }, "invalid_client"],
  ])("returns OAuth's error code for %s [J7]", async (what, fields, headers, error) => {
    const form = new URLSearchParams({ ...exchangeOf(await appRequest(), "x".repeat(43)), ...fields });
    if (what === "a missing field") form.delete("code_verifier");
    if (what === "a field twice") form.append("code", "y");
    const answer = await fetchToken(form.toString(), { origin: "https://timer.example", ...headers });
    expect(await bodyOf(answer)).toMatchObject({
      status: error === "invalid_client" ? 401 : 400,
      error,
      error_description: expect.any(String),
    });
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://timer.example");
    expect(answer.headers.get("cache-control")).toContain("no-store");
  });

  it("limits a sender's unknown codes but still accepts a valid code [J7]", async () => {
    const exchange = await agreed();
    const sender = { "cf-connecting-ip": "198.51.100.77" };
    const unknown = () => fetchToken({ ...exchange, code: crypto.randomUUID() }, sender);
    const counter = vi.spyOn(env.UNKNOWN_SENDERS, "limit").mockResolvedValue({ success: false });
    expect((await unknown()).status).toBe(400);
    await vi.waitFor(async () => expect((await unknown()).status).toBe(429));
    expect(counter).toHaveBeenCalledExactlyOnceWith({ key: "198.51.100.77" });
    expect(await bodyOf(await unknown())).toMatchObject({ error: "temporarily_unavailable" });
    expect((await fetchToken(exchange, sender)).status).toBe(200);
  });
});
