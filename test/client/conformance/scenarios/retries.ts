import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Reply, ScriptedAnswer } from "../service.ts";
import { type ClientScenario, errorOf, resultOf, type Stage, until } from "../stage.ts";

const id = "0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10";
const made = { status: 200, body: { id } };
const refusal = (status: number, headers: Record<string, string> = {}, code?: string): ScriptedAnswer => ({
  status,
  body: { error: "no", ...(code ? { code } : {}) },
  headers,
});
const html = { "content-type": "text/html" };

async function read(
  { serve, call }: Stage,
  script: Reply[],
  options: { maxRetries?: number; timeoutMs?: number } = {},
) {
  const { client, asked } = await serve(script);
  const outcome = await call(client, "invoices.get", { values: [id], options });
  return { ...outcome, outcome, attempts: asked.length, asked };
}

export const retryScenarios: ClientScenario[] = [
  {
    promise: "Retries a response of any status with X-Should-Retry: true",
    async run(stage) {
      const { outcome } = await read(stage, [refusal(409, { "x-should-retry": "true" }), made]);
      assert.deepEqual(resultOf(outcome), { id });
    },
  },
  {
    promise: "Does not retry a response of any status with X-Should-Retry: false",
    async run(stage) {
      const { outcome, attempts } = await read(stage, [refusal(500, { "x-should-retry": "false" })]);
      assert.deepEqual([errorOf(outcome).retryable, attempts], [false, 1]);
    },
  },
  {
    promise: "Retries a 408, 429 or 5xx without X-Should-Retry",
    async run(stage) {
      const statuses = [408, 429, 500, 502, 503, 504];
      const { outcome, attempts } = await read(stage, [...statuses.map((status) => refusal(status)), made], {
        maxRetries: 6,
      });
      assert.deepEqual([resultOf(outcome), attempts], [{ id }, 7]);
    },
  },
  {
    promise: "Does not retry other statuses without X-Should-Retry",
    async run(stage) {
      for (const status of [400, 401, 403, 404, 409, 413, 422]) {
        const { outcome, attempts } = await read(stage, [refusal(status)]);
        assert.deepEqual([errorOf(outcome).status, attempts], [status, 1]);
      }
    },
  },
  {
    promise: "Waits for the seconds in Retry-After",
    async run(stage) {
      const { retries, asked } = await read(stage, [refusal(429, { "retry-after": "1" }), made]);
      assert.deepEqual(
        retries.map(({ delayMs }) => delayMs),
        [1000],
      );
      assert.ok((asked[1]?.atMs ?? 0) - (asked[0]?.atMs ?? 0) >= 990);
    },
  },
  {
    promise: "Waits until the date in Retry-After",
    async run(stage) {
      const date = new Date(Date.now() + 3000).toUTCString();
      const { retries } = await read(stage, [refusal(503, { "retry-after": date }), made]);
      const [{ delayMs = 0 } = {}] = retries;
      assert.ok(delayMs > 500 && delayMs <= 3000, String(delayMs));
    },
  },
  {
    promise: "Ignores a Retry-After that is in the past or invalid",
    async run(stage) {
      const hints = ["Sat, 31 Jan 2026 09:29:00 GMT", "soon", "-5", "1e9"];
      const script = hints.map((hint) => refusal(503, { "retry-after": hint }));
      const { retries } = await read(stage, [...script, made], { maxRetries: 4 });
      assert.deepEqual(
        retries.map(({ delayMs }) => delayMs),
        [0, 0, 0, 0],
      );
    },
  },
  {
    promise: "Throws without waiting if Retry-After is longer than a minute",
    async run(stage) {
      const { outcome, attempts } = await read(stage, [
        refusal(429, { "retry-after": "61" }, "rate_limit_exceeded"),
      ]);
      const { name, retryable } = errorOf(outcome);
      assert.deepEqual([name, retryable, attempts], ["RateLimitError", true, 1]);
    },
  },
  {
    promise: "Doubles the delay with each retry, starting at half a second, with full jitter",
    async run({ serve, spawn }) {
      const { client } = await serve([refusal(503)]);
      const driver = spawn({ JITTER: "0.999" });
      const asking = { do: "call", client, method: "invoices.get", values: [id] };
      const { retries } = await driver.start(asking).outcome;
      assert.deepEqual(
        retries.map(({ delayMs }) => Math.round(delayMs)),
        [500, 999, 1998],
      );
    },
  },
  {
    promise: "Adds at most 8 seconds of backoff to Retry-After",
    async run({ serve, spawn }) {
      // Jitter divides each delay by 10,000. Without the limit, the delays would continue with 1.6, 3.2 and 6.4.
      const { client } = await serve([refusal(503, { "retry-after": "0" })], { maxRetries: 20 });
      const driver = spawn({ JITTER: "0.0001" });
      const { told } = driver.start({ do: "call", client, method: "invoices.get", values: [id] });
      await until(() => told.retries.length >= 8);
      assert.deepEqual(
        told.retries.slice(5, 8).map(({ delayMs }) => delayMs.toFixed(2)),
        ["0.80", "0.80", "0.80"],
      );
    },
  },
  {
    promise: "Retries three times by default, or as often as the client or the call is configured to",
    async run({ serve, call }) {
      const { client, asked } = await serve(["cut"]);
      const attempts = async (maxRetries?: number, ofCall?: number) => {
        const before = asked.length;
        const options = ofCall === undefined ? {} : { maxRetries: ofCall };
        const given = maxRetries === undefined ? client : { ...client, maxRetries };
        errorOf(await call(given, "invoices.get", { values: [id], options }));
        return asked.length - before;
      };
      assert.deepEqual([await attempts(), await attempts(1), await attempts(1, 0)], [4, 2, 1]);
    },
  },
  {
    promise: "Reports each retry's number, request and cause before the delay",
    async run(stage) {
      const { retries } = await read(stage, [
        "cut",
        refusal(404, { "x-should-retry": "true" }, "not_found"),
        made,
      ]);
      const call = { delayMs: 0, method: "GET", path: `/api-v1/invoices/${id}` };
      assert.deepEqual(
        retries.map(({ retry, delayMs, error, method, path }) => ({ retry, delayMs, error, method, path })),
        [
          { retry: 1, error: "ConnectionError", ...call },
          { retry: 2, error: "NotFoundError", ...call },
        ],
      );
    },
  },
];

/** Deeper than Python can parse. */
const deepArray = "[".repeat(100_000) + "]".repeat(100_000);

/** Faults that replace the response, and the error after the last retry. */
const noAnswers: [promise: string, reply: Reply, name: string][] = [
  ["a broken connection", "cut", "ConnectionError"],
  ["a response that is not HTTP", "garbage", "ConnectionError"],
  ["a missing response", "silence", "TimeoutError"],
  ["a stalled body", "stall", "TimeoutError"],
  ["a slow body", { dripping: { ...made, body: "x".repeat(1000) } }, "TimeoutError"],
  ["an HTML page from a proxy", { status: 200, body: "<h1>Sign in</h1>", headers: html }, "ConnectionError"],
  ["JSON other than an object", { status: 200, body: "null" }, "ConnectionError"],
  ["a JSON array, however deeply nested", { status: 200, body: deepArray }, "ConnectionError"],
];

export const noAnswerScenarios: ClientScenario[] = [
  ...noAnswers.map(
    ([what, reply, name]): ClientScenario => ({
      promise: `Retries ${what}, and finally throws a ${name}`,
      async run(stage) {
        const { outcome } = await read(stage, [reply, made], { timeoutMs: 3_000 });
        assert.deepEqual([resultOf(outcome), outcome.retries.map(({ error }) => error)], [{ id }, [name]]);
        const startMs = performance.now();
        const error = errorOf((await read(stage, [reply], { timeoutMs: 3_000, maxRetries: 0 })).outcome);
        assert.deepEqual([error.name, error.retryable], [name, true]);
        assert.ok(performance.now() - startMs < 10_000);
      },
    }),
  ),
  {
    promise: "Throws a ConnectionError if the service does not accept connections",
    async run({ call }) {
      const client = { baseUrl: "http://127.0.0.1:1", apikey: "pk", token: "svc" };
      const outcome = await call(client, "invoices.get", { values: [id] });
      assert.deepEqual([errorOf(outcome).name, outcome.retries.length], ["ConnectionError", 3]);
    },
  },
  {
    promise: "Retries after a proxy's 503 page, but not after its 403 page",
    async run(stage) {
      const down = await read(stage, [{ status: 503, body: "<h1>Down</h1>", headers: html }, made]);
      assert.deepEqual(resultOf(down.outcome), { id });
      const forbids = await read(stage, [{ status: 403, body: "<h1>Blocked</h1>", headers: html }]);
      assert.deepEqual([errorOf(forbids.outcome).name, forbids.attempts], ["RefusedError", 1]);
    },
  },
];

const document = readFileSync(join(import.meta.dirname, "..", "..", "..", "..", "openapi.json"), "utf8");
const codes = new Set([...document.matchAll(/"code": "([a-z_]+)"/g)].map(([, code]) => code as string));

const classOf = (code: string) =>
  code === "rate_limit_exceeded"
    ? "RateLimitError"
    : `${code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Error`;

export const refusalScenarios: ClientScenario[] = [
  {
    promise: "Throws a separate error class for each code in openapi.json",
    async run(stage) {
      assert.ok(codes.size > 10);
      for (const code of codes) {
        const { outcome } = await read(stage, [refusal(422, {}, code)]);
        const { name, code: told } = errorOf(outcome);
        assert.deepEqual([name, told], [classOf(code), code]);
      }
    },
  },
  {
    promise: "Throws a ValidationError for a 400 without a code, and an AuthenticationError for a 401",
    async run(stage) {
      const errors = [400, 401, 418].map(async (status) => {
        const { name, code } = errorOf((await read(stage, [refusal(status)])).outcome);
        return [name, code ?? null];
      });
      assert.deepEqual(await Promise.all(errors), [
        ["ValidationError", "invalid_request"],
        ["AuthenticationError", null],
        ["RefusedError", null],
      ]);
    },
  },
  {
    promise: "Throws a RefusedError with the code if the code is unknown",
    async run(stage) {
      const { name, code } = errorOf((await read(stage, [refusal(409, {}, "a_code_of_tomorrow")])).outcome);
      assert.deepEqual([name, code], ["RefusedError", "a_code_of_tomorrow"]);
    },
  },
  {
    promise: "Includes the status, the request id and the complete body in each error",
    async run(stage) {
      const body = { error: "no", code: "insufficient_scope", required_scope: "time:read" };
      const headers = { "x-request-id": "request 7" };
      const error = errorOf((await read(stage, [{ status: 403, body, headers }])).outcome);
      const { status, requestId, message } = error;
      assert.deepEqual(error.body, body);
      assert.deepEqual([status, requestId, message], [403, "request 7", "403 insufficient_scope: no"]);
    },
  },
  {
    promise: "Throws an error based on the status if the body has another format",
    async run(stage) {
      for (const body of [
        ...["<h1>Down</h1>", '{"message":"down"}', '{"error":{"code":1}}', "null", "[]", deepArray],
        ...[
          '{"error":"down","code":502}',
          '{"error":"down","code":null}',
          '{"error":"down","code":["down"]}',
        ],
        '{"error":"down","errors":"all"}',
      ]) {
        const error = errorOf((await read(stage, [{ status: 502, body }], { maxRetries: 0 })).outcome);
        assert.deepEqual([error.name, error.code, error.retryable], ["RefusedError", null, true]);
        assert.deepEqual(error.body, { error: "Bad Gateway" });
      }
    },
  },
];
