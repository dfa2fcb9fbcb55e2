import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { call, post } from "../support/partner.ts";
import {
  countRows,
  makeClient,
  makeDeliverable,
  makeProject,
  makeStudio,
  type Studio,
} from "../support/review.ts";
import { insertToken } from "../support/workspace.ts";

const path = "/api-ingest-request";
const refusal = async (answer: Response) => [answer.status, await answer.json()];
const message = ({ clientId }: Studio, fields: object = {}) => ({
  client_id: clientId,
  content: "Could we also have the page in French?",
  ...fields,
});
const tokenId = async ({ organizationId }: Studio) =>
  env.DB.prepare("SELECT id FROM api_tokens WHERE organization_id = ?").bind(organizationId).first("id");

describe("POST /api-ingest-request", () => {
  it("stores a client's message as evidence, with the token that sent it [Q3, Q5]", async () => {
    const studio = await makeStudio();
    const deliverable_id = await makeDeliverable(studio);
    const fields = {
      project_id: studio.projectId,
      deliverable_id,
      author_kind: "member",
      author_name: " Nora ",
      author_address: "nora@northwind.example",
      external_id: "mail-1",
      metadata: { channel: "email", thread: { id: 7 }, api_token_id: "forged" },
    };
    const answer = await post(studio, path, message(studio, fields));
    expect(await refusal(answer)).toEqual([
      201,
      {
        ...message(studio, fields),
        author_name: "Nora",
        metadata: { channel: "email", thread: { id: 7 }, api_token_id: await tokenId(studio) },
        id: expect.any(String),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    ]);
  });

  it("defaults the author to the client, and external_id to the Idempotency-Key [Q2, Q4]", async () => {
    const studio = await makeStudio();
    const blank = { author_name: " ", author_address: " " };
    expect(await (await post(studio, path, message(studio, blank), "the key")).json()).toMatchObject({
      author_kind: "client",
      author_name: null,
      author_address: null,
      project_id: null,
      deliverable_id: null,
      external_id: "the key",
      metadata: { api_token_id: await tokenId(studio) },
    });
  });

  it("returns the first record for the same content and external_id, with any key [Q4, I11]", async () => {
    const studio = await makeStudio();
    const first = await (await post(studio, path, message(studio), "mail-1")).json<object>();
    const same = message(studio, { external_id: "mail-1", author_kind: "client", metadata: {} });
    const other = { token: await insertToken(studio) };
    for (const [asker, key, body] of [
      [studio, "mail-1", message(studio)],
      [studio, "another key", same],
      [other, "a third key", { ...same, content: `  ${same.content}\n` }],
    ] as const) {
      const answer = await post(asker, path, body, key);
      expect(await refusal(answer)).toEqual([200, { ...first, idempotent_replay: true }]);
    }
    expect(await countRows("scope_request_evidence", studio)).toBe(1);
  });

  it("returns 409 idempotency_key_reused for other content under the same external_id or key", async () => {
    const studio = await makeStudio();
    await post(studio, path, message(studio, { external_id: "mail-1" }), "key");
    const reused = [409, expect.objectContaining({ code: "idempotency_key_reused" })];
    for (const [fields, key] of [
      [{ external_id: "mail-1", content: "Something else" }, "new key"],
      [{ external_id: "mail-1", metadata: { a: 1 } }, "new key"],
      [{ external_id: "mail-1", author_name: "Eve" }, "new key"],
      [{ content: "Something else" }, "mail-1"],
      [{ external_id: "mail-2" }, "key"],
    ] as const) {
      expect(await refusal(await post(studio, path, message(studio, fields), key))).toEqual(reused);
    }
    expect(await countRows("scope_request_evidence", studio)).toBe(1);
    expect((await post(studio, path, message(studio, { content: "New" }), "new key")).status).toBe(201);
  });

  it("does not use up the key of a request that only repeats an external_id [Q4]", async () => {
    const studio = await makeStudio();
    const repeated = message(studio, { external_id: "mail-1" });
    await post(studio, path, repeated, "key");
    const entries = await countRows("requests", studio);
    for (const _ of [1, 2]) expect((await post(studio, path, repeated, "another key")).status).toBe(200);
    expect(await countRows("requests", studio)).toBe(entries);
    expect((await post(studio, path, message(studio, { external_id: "mail-2" }), "another key")).status).toBe(
      201,
    );
  });

  it("can have the same external_id as a request in another workspace", async () => {
    for (const studio of [await makeStudio(), await makeStudio()]) {
      const answer = await post(studio, path, message(studio, { external_id: "shared" }), "key");
      expect(answer.status).toBe(201);
    }
  });

  it("creates only one record for concurrent requests, whether or not they share a key", async () => {
    const studio = await makeStudio();
    const ingest = (key: string) => post(studio, path, message(studio, { external_id: "mail-1" }), key);
    const keys = Array.from({ length: 20 }, (_, n) => (n % 2 ? "key" : `key ${n}`));
    const statuses = (await Promise.all(keys.map(ingest))).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
    expect(await countRows("scope_request_evidence", studio)).toBe(1);
  });

  it("checks the scope request:write, then the feature, then the admin, then the key [Q1]", async () => {
    const studio = await makeStudio({ features: [] });
    const writer = { token: await insertToken(studio, ["deliverable:write"]) };
    expect(await refusal(await post(writer, path, message(studio)))).toEqual([
      403,
      expect.objectContaining({ code: "insufficient_scope", required_scope: "request:write" }),
    ]);
    expect(await refusal(await call(studio, path, { body: message(studio) }))).toEqual([
      403,
      { error: "Ingesting client messages is not enabled in this workspace", code: "feature_disabled" },
    ]);
    await env.DB.prepare(`UPDATE organizations SET features = '["connector_api_ingest"]' WHERE id = ?`)
      .bind(studio.organizationId)
      .run();
    expect((await call(studio, path, { body: message(studio) })).status).toBe(400);
    expect((await post(studio, path, message(studio))).status).toBe(201);
  });

  it("rejects references to another workspace or another client", async () => {
    const [studio, other] = [await makeStudio(), await makeStudio()];
    const second = await makeClient(studio);
    const project_id = await makeProject(studio, second);
    const deliverable_id = await makeDeliverable(studio, { client_id: second });
    for (const [fields, error] of [
      [{ client_id: other.clientId }, "client_id not found in this workspace"],
      [{ project_id: other.projectId }, "project_id not found in this workspace"],
      [{ deliverable_id: crypto.randomUUID() }, "deliverable_id not found in this workspace"],
      [{ deliverable_id: await makeDeliverable(other) }, "deliverable_id not found in this workspace"],
      [{ project_id }, "project_id does not belong to this client"],
      [{ deliverable_id }, "deliverable_id does not belong to this client"],
    ] as const) {
      expect(await refusal(await post(studio, path, message(studio, fields)))).toEqual([400, { error }]);
    }
    expect(await countRows("scope_request_evidence", studio)).toBe(0);
  });

  const deep = (levels: number): object => JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);
  it.each([
    ["a missing client", { client_id: undefined }, /^client_id is required$/],
    ["missing content", { content: undefined }, /^content is required$/],
    ["empty content", { content: "  " }, /^content must have 1 to 20000 characters$/],
    ["content of 20,001 characters", { content: "x".repeat(20_001) }, /^content must have 1 to 20000/],
    ["an unknown author_kind", { author_kind: "robot" }, /^author_kind must be one of client/],
    ["a long author_name", { author_name: "x".repeat(201) }, /^author_name /],
    ["a long author_address", { author_address: "x".repeat(321) }, /^author_address /],
    ["an empty external_id", { external_id: "" }, /^external_id /],
    ["metadata that is not an object", { metadata: [1] }, /^metadata /],
    ["metadata over 16 KB", { metadata: { a: "ä".repeat(8190) } }, /^metadata must be at most 16 KB/],
    [
      "metadata nested 33 levels deep",
      { metadata: deep(33) },
      /^metadata must be nested at most 32 levels deep$/,
    ],
    [
      "metadata nested 5,000 levels deep",
      { metadata: deep(5000) },
      /^The body must be nested at most 64 levels deep$/,
    ],
    ["an unknown field", { subject: "x" }, /^subject is not a known field$/],
  ])("rejects %s", async (_, fields, error) => {
    const studio = await makeStudio();
    const answer = await post(studio, path, message(studio, fields));
    expect(await refusal(answer)).toEqual([400, { error: expect.stringMatching(error) }]);
  });

  it("rejects unsafe numbers and malformed strings in metadata", async () => {
    const studio = await makeStudio();
    for (const field of [
      '"a":1e999',
      '"a":-1e999',
      '"a":"\\ud800"',
      '"\\udc00":1',
      '"__proto__":{"a":1e999}',
    ]) {
      const body = `{"client_id":"${studio.clientId}","content":"x","metadata":{${field}}}`;
      const answer = await call(studio, path, { body, key: crypto.randomUUID() });
      expect(await refusal(answer)).toEqual([
        400,
        { error: expect.stringMatching(/^metadata(?: has |.* cannot be represented exactly$)/) },
      ]);
    }
  });

  it("rejects a repeated name at any depth of metadata", async () => {
    const studio = await makeStudio();
    for (const [metadata, field] of [
      ['{"a":1,"a":2}', "a"],
      [`${'{"a":'.repeat(31)}{"b":1,"b":1}${"}".repeat(31)}`, `${"a.".repeat(31)}b`],
    ]) {
      const body = `{"client_id":"${studio.clientId}","content":"x","metadata":${metadata}}`;
      const answer = await call(studio, path, { body, key: crypto.randomUUID() });
      expect(await refusal(answer)).toEqual([400, { error: `metadata.${field} is repeated` }]);
    }
    expect(await countRows("scope_request_evidence", studio)).toBe(0);
  });

  it("keeps content of 20,000 characters and metadata of 16 KB unchanged [Q2]", async () => {
    const studio = await makeStudio();
    const metadata = { ...deep(31), text: "x".repeat(16_000), "": [null, true, 1.5, "\u0000"] };
    const body = message(studio, { content: "🎨".repeat(20_000), metadata });
    const answer = await post(studio, path, body);
    expect(answer.status).toBe(201);
    const kept = await answer.json<{ content: string; metadata: object }>();
    expect(kept.content).toBe(body.content);
    expect(kept.metadata).toEqual({ ...metadata, api_token_id: await tokenId(studio) });
  });
});
