import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { AdminBrowser } from "../local/admin-browser.ts";
import { type DemoContext, expectAnswer, type JsonFields } from "./context.ts";

const app = "https://timer.example/app";
const redirect_uri = "https://timer.example/back";

/** An app requests access and an admin grants it in a browser, so that nobody has to copy a token. */
export async function connectExampleApp(context: DemoContext): Promise<void> {
  const { admin, call, server, step } = context;
  const verifier = randomBytes(32).toString("base64url");
  const service = (await (
    await fetch(`${server.base_url}/.well-known/oauth-authorization-server`)
  ).json()) as JsonFields;
  const request = `${service.authorization_endpoint}?${new URLSearchParams({
    response_type: "code",
    client_id: app,
    redirect_uri,
    scope: "client:read deliverable:send",
    state: "demo",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  })}`;
  let code = "";
  let connected: JsonFields;

  await step(
    "An app sends an admin to the connect page, which shows its host and what it requests",
    async () => {
      const browser = new AdminBrowser(server.base_url);
      const [owner] = (await admin("list-members")).filter(({ role }: JsonFields) => role === "owner");
      await browser.signIn(owner.email);
      const page = await browser.open(request);
      assert.ok(page.includes("timer.example</code>") && page.includes("Read clients"));
      assert.match(page, /value="deliverable:send"\/>/);
      const answer = new URL(await browser.connect(request, ["client:read"]));
      assert.equal(answer.searchParams.get("iss"), service.issuer);
      code = answer.searchParams.get("code") ?? "";
      return `Connect sends the browser to ${answer.origin}${answer.pathname}`;
    },
  );

  const exchange = () =>
    fetch(service.token_endpoint, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code,
        redirect_uri,
        client_id: app,
        code_verifier: verifier,
      }),
    });

  await step("The app exchanges the code for a token, and reads the clients", async () => {
    connected = await (await exchange()).json();
    assert.equal(connected.scope, "client:read");
    expectAnswer(await call("/api-v1/clients?limit=1", { token: connected.access_token }), 200);
    return `${connected.scope} of ${connected.organization.name}`;
  });

  await step("Using the code again revokes the token", async () => {
    const { error } = (await (await exchange()).json()) as JsonFields;
    assert.equal(error, "invalid_grant");
    expectAnswer(await call("/api-v1/clients?limit=1", { token: connected.access_token }), 401);
    return `${error}; the token is refused`;
  });
}
