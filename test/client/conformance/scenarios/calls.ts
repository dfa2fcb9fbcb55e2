import assert from "node:assert/strict";
import { Model, seeded, unreliable } from "../model.ts";
import { type ClientScenario, errorOf, resultOf, until } from "../stage.ts";

const id = "0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10";
const made = { status: 201, body: { id } };
const acme = { company_name: "Acme" };
const page = { status: 200, body: { data: [], next_cursor: null } };

export const callScenarios: ClientScenario[] = [
  {
    promise: "Sends a read with the apikey and the token, without a body or an Idempotency-Key",
    async run({ serve, call }) {
      const { client, asked } = await serve([{ status: 200, body: { id } }]);
      assert.deepEqual(resultOf(await call(client, "invoices.get", { values: [id] })), { id });
      const { method, url, headers, body } = asked[0] ?? assert.fail();
      assert.deepEqual([method, url.pathname, body], ["GET", `/api-v1/invoices/${id}`, undefined]);
      assert.deepEqual(
        [headers.accept, headers.apikey, headers.authorization],
        ["application/json, application/problem+json", "pk_test", "Bearer svc_test"],
      );
      assert.deepEqual([headers["idempotency-key"], headers["content-type"]], [undefined, undefined]);
    },
  },
  {
    promise: "Sends the body of a write as JSON, or an empty object if the body is omitted",
    async run({ serve, call }) {
      const { client, asked } = await serve([made]);
      await call(client, "clients.create", { body: acme });
      await call(client, "deliverables.send", { values: [id], body: null });
      assert.deepEqual(
        asked.map(({ headers }) => headers["content-type"]),
        Array(2).fill("application/json"),
      );
      assert.deepEqual(
        asked.map(({ body }) => body),
        [acme, {}],
      );
    },
  },
  {
    promise: "Sends and returns text in any script, and numbers of any size, without changing them",
    async run({ serve, call }) {
      const { client, asked } = await serve(({ body }) => ({ status: 201, body }));
      const body = {
        company_name: 'Öster & Søn 株式会社 🎈 \u2028"\\\\',
        amounts: [0.1, 1250.5, 999_999_999_999.999, 0],
      };
      assert.deepEqual(resultOf(await call(client, "clients.create", { body })), body);
      assert.deepEqual(asked[0]?.body, body);
    },
  },
  {
    promise: "Escapes a path parameter so that it stays a single segment",
    async run({ serve, call }) {
      const { client, asked } = await serve([{ status: 200, body: {} }]);
      await call(client, "invoices.get", { values: ["../tokens?x=1#é"] });
      assert.equal(asked[0]?.url.pathname, "/api-v1/invoices/..%2Ftokens%3Fx%3D1%23%C3%A9");
    },
  },
  {
    promise: "Omits filters without a value, but sends 0",
    async run({ serve, list }) {
      const { client, asked } = await serve([page]);
      const query = { limit: 0, updated_since: null, email: "a+b@example.com" };
      await list(client, "clients.list", { query, walk: "page" });
      assert.deepEqual(
        [...(asked[0]?.url.searchParams ?? [])],
        [
          ["limit", "0"],
          ["email", "a+b@example.com"],
        ],
      );
    },
  },
  {
    promise: "Never follows a redirect, so that the token is not sent to another host",
    async run({ serve, call }) {
      const { client, asked } = await serve([{ status: 302, headers: { location: "/elsewhere" } }]);
      assert.equal(errorOf(await call(client, "invoices.get", { values: [id] })).status, 302);
      assert.equal(asked.length, 1);
    },
  },
  {
    promise: "Throws immediately, without a retry, if a request cannot be sent",
    async run({ serve, call }) {
      const { client, asked } = await serve([made]);
      const options = { idempotencyKey: "row\n7" };
      for (const outcome of [
        await call(client, "clients.create", { body: acme, options }),
        await call({ ...client, baseUrl: "api.example.com" }, "invoices.get", { values: [id] }),
      ]) {
        assert.deepEqual([errorOf(outcome).isOurs, outcome.retries], [false, []]);
      }
      assert.equal(asked.length, 0);
    },
  },
  {
    promise: "Returns the request id of a successful response",
    async run({ serve, call }) {
      const headers = { "x-request-id": "request 7" };
      const { client } = await serve([{ status: 200, body: { id }, headers }]);
      const { result } = await call(client, "invoices.get", { values: [id] });
      assert.deepEqual(result, { value: { id }, requestId: "request 7" });
    },
  },
  {
    promise: "Returns an image as bytes",
    async run({ serve, call }) {
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
      const { client, asked } = await serve([
        { status: 200, body: bytes, headers: { "content-type": "image/png" } },
      ]);
      const { result } = await call(client, "deliverables.getImage", { values: [id, 2] });
      assert.deepEqual(result, { base64: bytes.toString("base64") });
      assert.equal(asked[0]?.url.pathname, `/api-v1/deliverables/${id}/versions/2/image`);
    },
  },
];

export const keyScenarios: ClientScenario[] = [
  {
    promise: "Generates a new Idempotency-Key for each write",
    async run({ serve, call }) {
      const { client, asked } = await serve([made]);
      for (const _ of ["once", "again"]) await call(client, "clients.create", { body: acme });
      const [first, second] = asked.map(({ headers }) => headers["idempotency-key"]);
      assert.match(String(first), /^[0-9a-f-]{36}$/);
      assert.notEqual(first, second);
    },
  },
  {
    promise: "Sends the caller's Idempotency-Key unchanged",
    async run({ serve, call }) {
      const { client, asked } = await serve([made]);
      const options = { idempotencyKey: "order 7" };
      await call(client, "deliverables.send", { values: [id], body: { message: "Hi" }, options });
      assert.deepEqual(
        [asked[0]?.headers["idempotency-key"], asked[0]?.body],
        ["order 7", { message: "Hi" }],
      );
    },
  },
  {
    promise: "Sends the same key and body in every retry",
    async run({ serve, call }) {
      const inProgress = {
        status: 409,
        body: { error: "in progress", code: "idempotency_key_in_progress" },
        headers: { "x-should-retry": "true" },
      };
      const { client, asked } = await serve(["cut", { status: 500 }, inProgress, made]);
      assert.deepEqual(resultOf(await call(client, "clients.create", { body: acme })), { id });
      const requests = asked.map(({ url, headers, body }) => [url.href, headers["idempotency-key"], body]);
      assert.deepEqual(requests, Array(4).fill(requests[0]));
    },
  },
  ...(["cut", "halved", "shortened", "twice"] as const).map(
    (fate): ClientScenario => ({
      promise: {
        cut: "Creates one row and returns the replay if the first response is lost",
        halved: "Creates one row and returns the complete response if the first response is cut off",
        shortened:
          "Creates one row and returns the complete response even if a truncated response looks complete",
        twice: "Ignores a duplicate response and never uses it for the next call",
      }[fate],
      async run({ serve, call }) {
        const model = new Model();
        const { client } = await serve((asked, count) => {
          const answer = model.reply(asked);
          if (count > 1) return answer;
          if (fate === "cut") return fate;
          return (
            {
              halved: { halved: answer },
              shortened: { shortened: answer },
              twice: { twice: answer },
            } as const
          )[fate];
        });
        const first = resultOf<Record<string, unknown>>(await call(client, "clients.create", { body: acme }));
        assert.deepEqual(
          [first.name, first.idempotent_replay],
          ["Acme", fate === "twice" ? undefined : true],
        );
        const other = { company_name: "Another" };
        const second = resultOf<Record<string, unknown>>(
          await call(client, "clients.create", { body: other }),
        );
        assert.deepEqual([second.name, second.idempotent_replay], ["Another", undefined]);
        assert.equal(model.rows.length, 2);
      },
    }),
  ),
  {
    promise: "Creates a row for each call, even if the bodies are the same",
    async run({ serve, call }) {
      const model = new Model();
      const { client } = await serve(model.reply);
      await Promise.all(Array.from({ length: 20 }, () => call(client, "clients.create", { body: acme })));
      assert.equal(model.rows.length, 20);
    },
  },
  {
    promise: "Creates 100 rows for 100 concurrent writes over an unreliable network",
    async run({ serve, call }) {
      const model = new Model();
      const { client } = await serve(unreliable(model, seeded(7)), { maxRetries: 30 });
      const names = Array.from({ length: 100 }, (_, index) => `Client ${index}`);
      const answers = await Promise.all(
        names.map(async (company_name) => {
          const outcome = await call(client, "clients.create", { body: { company_name } });
          return resultOf<{ name: string }>(outcome).name;
        }),
      );
      assert.deepEqual(answers, names);
      assert.deepEqual(model.rows.map(({ name }) => name).sort(), names.toSorted());
    },
  },
  {
    promise: "Creates one row if the process is killed and retries with the caller's key",
    async run({ serve, spawn, call }) {
      const model = new Model();
      const { client } = await serve((asked, count) => {
        const answer = model.reply(asked);
        return count === 1 ? "silence" : answer;
      });
      const asking = { body: acme, options: { idempotencyKey: "row 7" } };
      const driver = spawn();
      driver.start({ do: "call", client, method: "clients.create", ...asking });
      await until(() => model.rows.length === 1);
      await driver.kill();
      const again = resultOf<Record<string, unknown>>(await call(client, "clients.create", asking));
      assert.deepEqual([again.name, again.idempotent_replay, model.rows.length], ["Acme", true, 1]);
    },
  },
];
