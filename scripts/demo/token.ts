import assert from "node:assert/strict";
import { type DemoContext, expectAnswer } from "./context.ts";

const scopes = [
  "client:read,project:read,time:read,invoice:read,deliverable:read",
  "time:write,invoice:write,deliverable:write,deliverable:send",
].join(",");

/** An admin creates a token with the scopes that the following steps need. */
export async function createTokenByAdmin(context: DemoContext): Promise<void> {
  const { admin, call, server, step } = context;

  await step("An admin creates a token with the scopes of this integration", async () => {
    const created = await admin("create-api-token", { name: "Demo integration", scopes });
    assert.match(created.token, /^svc_[a-f0-9]{36}$/);
    server.token = created.token;
    return `${created.token_prefix}… with ${created.scopes.join(", ")}`;
  });

  await step("The token is accepted, and every response has the rate limit", async () => {
    const answer = await call("/api-v1/clients?limit=1");
    expectAnswer(answer, 200);
    assert.equal(answer.headers.get("ratelimit-limit"), "60");
    assert.equal(answer.headers.get("ratelimit-policy"), "60;w=60");
    return "RateLimit-Limit: 60, RateLimit-Policy: 60;w=60";
  });

  await step("The audit log has the token, without its secret", async () => {
    const [entry] = await admin("audit-log", { limit: "1" });
    assert.equal(entry.action, "token.created");
    assert.ok(!JSON.stringify(entry).includes(server.token.slice(14)));
    return `${entry.action} by ${entry.actor}`;
  });
}
