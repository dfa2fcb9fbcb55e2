/** What the demo's steps share: the server, a partner's token, an admin, and a function that prints results. */
import assert from "node:assert/strict";
import { type PartnerApi, partnerApi } from "../../client/src/index.ts";
import type { AdminConnection } from "../admin/connection.ts";
import type { LocalServer } from "../local/state.ts";

// biome-ignore lint/suspicious/noExplicitAny: the steps state what they expect of a body.
export type JsonFields = any;

interface DemoAnswer {
  status: number;
  body: JsonFields;
  headers: Headers;
}

export interface DemoContext {
  server: LocalServer;
  /** The client library, with the demo's token. */
  api: PartnerApi;
  /** Calls the partner API directly, by default with the demo's token. */
  call(path: string, options?: { body?: object; key?: string; token?: string }): Promise<DemoAnswer>;
  /** Runs an admin operation in the demo workspace, and throws if it is rejected. */
  admin(operation: string, fields?: Record<string, string>): Promise<JsonFields>;
  step(title: string, work: () => Promise<string | undefined>): Promise<void>;
}

export function contextOf(server: LocalServer, connection: AdminConnection): DemoContext {
  return {
    server,
    api: partnerApi({ baseUrl: server.base_url, apikey: server.apikey, token: server.token }),
    call: (path, options) => call(server, path, options),
    admin: async (operation, fields = {}) => {
      const outcome = await connection.run(operation, { organization: server.organization, ...fields });
      assert.ok(outcome.ok, outcome.ok ? "" : `${operation}: ${outcome.message}`);
      return outcome.result;
    },
    step: async (title, work) => {
      const note = await work().catch((error: Error) => {
        throw new Error(`✗ ${title}\n  ${error.message.replaceAll("\n", "\n  ")}`);
      });
      console.log(`✓ ${title}${note ? `\n    ${note.replaceAll("\n", "\n    ")}` : ""}`);
    },
  };
}

async function call(
  { base_url, apikey, token }: LocalServer,
  path: string,
  { body, key, token: other }: { body?: object; key?: string; token?: string } = {},
): Promise<DemoAnswer> {
  const response = await fetch(base_url + path, {
    method: body ? "POST" : "GET",
    headers: {
      apikey,
      authorization: `Bearer ${other ?? token}`,
      ...(body ? { "content-type": "application/json" } : {}),
      ...(key ? { "idempotency-key": key } : {}),
    },
    body: body && JSON.stringify(body),
  });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

/** Checks the response's status, and that its body contains these fields. */
export function expectAnswer(
  { status, body }: DemoAnswer,
  expected: number,
  fields: Record<string, unknown> = {},
): void {
  assert.equal(status, expected, `expected ${expected}, got ${status}: ${JSON.stringify(body)}`);
  for (const [name, value] of Object.entries(fields)) {
    assert.deepEqual(
      body[name],
      value,
      `expected ${name} ${JSON.stringify(value)}, got ${JSON.stringify(body)}`,
    );
  }
}
