import assert from "node:assert/strict";
import { type DemoContext, expectAnswer, type JsonFields } from "./context.ts";
import type { Found } from "./lists.ts";

/** The service rejects invalid requests with an explanation. */
export async function showRefusals({ admin, call, server, step }: DemoContext, found: Found): Promise<void> {
  const titled = (title: string) => {
    const deliverable = found.deliverables.find((one) => one.title.startsWith(title));
    assert.ok(deliverable, `the demo workspace has no deliverable ${title}`);
    return `/api-v1/deliverables/${deliverable.id}`;
  };

  await step("An unknown field is refused, not ignored", async () => {
    const body = { company_name: "Typo", emial: "a@b.example" };
    const full = await admin("create-api-token", { name: "Demo writer", scopes: "client:write" });
    const answer = await call("/api-v1/clients", { body, key: "demo-typo", token: full.token });
    expectAnswer(answer, 400);
    assert.match(answer.body.error, /^emial/);
    return answer.body.error;
  });

  await step("A missing scope is named", async () => {
    const answer = await call("/api-v1/clients", { body: { company_name: "x" }, key: "demo-scope" });
    expectAnswer(answer, 403, { code: "insufficient_scope", required_scope: "client:write" });
    return `required_scope: ${answer.body.required_scope}`;
  });

  await step("Sample data is refused", async () => {
    const answer = await call(`${titled("Sample poster")}/send`, { body: {}, key: "demo-sample" });
    expectAnswer(answer, 422, { code: "sample_data_never_emailed" });
    return answer.body.error;
  });

  await step("A client without an e-mail address is refused", async () => {
    const answer = await call(`${titled("Contact sheet")}/send`, { body: {}, key: "demo-no-email" });
    expectAnswer(answer, 422, { code: "client_email_missing" });
    return answer.body.error;
  });

  await step("A revision over the project's budget is refused until an override is recorded", async () => {
    const path = `${titled("Campaign key visual")}/versions`;
    const options = { body: { note: "One more blue" }, key: "demo-over-budget" };
    const refused = await call(path, options);
    expectAnswer(refused, 422, { code: "revision_over_budget" });
    const { body } = await call(titled("Campaign key visual"));
    await admin("record-revision-override", { project: body.project_id, rounds: "1", reason: "Goodwill" });
    expectAnswer(await call(path, options), 201, { version_number: 3 });
    return `${refused.body.error}; with the override: version 3, under the same key`;
  });

  await step("A revoked token is refused from its next call on", async () => {
    const tokens: JsonFields[] = await admin("list-api-tokens");
    const mine = tokens.find(({ token_prefix }) => server.token.startsWith(token_prefix));
    await admin("revoke-api-token", { id: mine.id });
    const answer = await call("/api-v1/clients");
    expectAnswer(answer, 401, { error: "Invalid or missing API token" });
    return answer.body.error;
  });
}
