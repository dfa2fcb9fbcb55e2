import { expect, it } from "vitest";
import { admin } from "../support/admin.ts";
import { startClock, stopClock } from "../support/clock.ts";
import { call } from "../support/partner.ts";
import { makeWorkspace } from "../support/workspace.ts";

it("GET /api-v1/token describes any valid token and its scopes [A14]", async () => {
  const workspace = await makeWorkspace({ scopes: ["time:read"], plan: "studio", currency: "EUR" });
  const answer = await (await call(workspace, "/api-v1/token")).json();
  expect(answer).toEqual({
    id: expect.any(String),
    name: "test",
    token_prefix: workspace.token.slice(0, 14),
    scopes: ["time:read"],
    organization: {
      id: workspace.organizationId,
      slug: `org-${workspace.organizationId}`,
      name: "Test studio",
      plan: "studio",
      currency: "EUR",
      features: ["connector_api_ingest"],
    },
    requests_per_minute: 120,
    created_at: expect.any(String),
    expires_at: null,
    last_used_at: null,
    allowed_ips: null,
  });
});

it("GET /api-v1/token returns the minute of the token's previous call, as admins see it [A14]", async () => {
  stopClock("2066-03-01T09:30:42.500Z");
  try {
    const workspace = await makeWorkspace();
    const lastUse = async () =>
      (await (await call(workspace, "/api-v1/token")).json<{ last_used_at: string | null }>()).last_used_at;
    const listed = async () => {
      const tokens = await admin<{ last_used_at: string | null }[]>(workspace, "list-api-tokens");
      return tokens[0]?.last_used_at;
    };
    expect(await listed()).toBeNull();
    expect(await lastUse()).toBeNull();
    expect(await lastUse()).toBe("2066-03-01T09:30:00.000Z");
    stopClock("2066-03-01T09:33:01.000Z");
    expect((await call(workspace, "/api-v1/clients")).status).toBe(200);
    expect(await lastUse()).toBe("2066-03-01T09:33:00.000Z");
    expect(await listed()).toBe("2066-03-01T09:33:00.000Z");
  } finally {
    startClock();
  }
});
