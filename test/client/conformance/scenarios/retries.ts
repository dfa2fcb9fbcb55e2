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

/** The outcome of one read, and the number of requests. */
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
    promise: "X-Should-Retry: true is tried again, whatever the status",
    async run(stage) {
      const { outcome } = await read(stage, [refusal(409, { "x-should-retry": "true" }), made]);
      assert.deepEqual(resultOf(outcome), { id });
    },
  },
  {
    promise: "X-Should-Retry: false is not tried again, whatever the status",
    async run(stage) {
      const { outcome, attempts } = await read(stage, [refusal(500, { "x-should-retry": "false" })]);
      assert.deepEqual([errorOf(outcome).retryable, attempts], [false, 1]);
    },
  },
  {
    promise: "Without X-Should-Retry, 408, 429 and 5xx are tried again",
    async run(stage) {
      const statuses = [408, 429, 500, 502, 503, 504];
      const { outcome, attempts } = await read(stage, [...statuses.map((status) => refusal(status)), made], {
        maxRetries: 6,
      });
      assert.deepEqual([resultOf(outcome), attempts], [{ id }, 7]);
    },
  },
  {
    promise: "Without X-Should-Retry, no other refusal is tried again",
    async run(stage) {
      for (const status of [400, 401, 403, 404, 409, 413, 422]) {
        const { outcome, attempts } = await read(stage, [refusal(status)]);
        assert.deepEqual([errorOf(outcome).status, attempts], [status, 1]);
      }
    },
  },
  {
    promise: "Retry-After in seconds is waited for",
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
    promise: "Retry-After as a date is waited for",
    async run(stage) {
      const date = new Date(Date.now() + 3000).toUTCString();
      const { retries } = await read(stage, [refusal(503, { "retry-after": date }), made]);
      const [{ delayMs = 0 } = {}] = retries;
      assert.ok(delayMs > 500 && delayMs <= 3000, String(delayMs));
    },
  },
  {
    promise: "A Retry-After that is past or makes no sense is as if there were none",
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
    promise: "A Retry-After of more than a minute is the caller's to wait for",
    async run(stage) {
      const { outcome, attempts } = await read(stage, [
        refusal(429, { "retry-after": "61" }, "rate_limit_exceeded"),
      ]);
      const { name, retryable } = errorOf(outcome);
      assert.deepEqual([name, retryable, attempts], ["RateLimitError", true, 1]);
    },
  },
  {
    promise: "The pause doubles from half a second, and is any time below that",
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
    promise: "The pause has a bound of 8 seconds, on top of what Retry-After asks for",
    async run({ serve, spawn }) {
      // A ten-thousandth of each bound, to save time; without the cap, they would continue with 1.6, 3.2 and
      // 6.4.
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
    promise: "There are three retries; a client and a call may say otherwise",
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
    promise: "Each retry is told before its pause: which one, of what, and why",
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

/** What replaces a response, and the error once no retry is left. */
const noAnswers: [promise: string, reply: Reply, name: string][] = [
  ["A connection that breaks", "cut", "ConnectionError"],
  ["An answer that is not HTTP", "garbage", "ConnectionError"],
  ["An answer that does not come", "silence", "TimeoutError"],
  ["A body that stops coming", "stall", "TimeoutError"],
  ["A body that comes too slowly", { dripping: { ...made, body: "x".repeat(1000) } }, "TimeoutError"],
  [
    "A page that something in front of the service answers",
    { status: 200, body: "<h1>Sign in</h1>", headers: html },
    "ConnectionError",
  ],
  ["JSON that is no object", { status: 200, body: "null" }, "ConnectionError"],
];

export const noAnswerScenarios: ClientScenario[] = [
  ...noAnswers.map(
    ([what, reply, name]): ClientScenario => ({
      promise: `${what} is no answer: it is tried again, and at last a ${name}`,
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
    promise: "A service that nobody listens at is a ConnectionError",
    async run({ call }) {
      const client = { baseUrl: "http://127.0.0.1:1", apikey: "pk", token: "svc" };
      const outcome = await call(client, "invoices.get", { values: [id] });
      assert.deepEqual([errorOf(outcome).name, outcome.retries.length], ["ConnectionError", 3]);
    },
  },
  {
    promise: "A page of a proxy that is down is tried again; one of a proxy that forbids is not",
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
    promise: "Each code that openapi.json documents has a class of its own",
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
    promise:
      "A 400 without a code is a ValidationError with the code invalid_request, a 401 an AuthenticationError",
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
    promise: "A code of tomorrow is a RefusedError that tells it",
    async run(stage) {
      const { name, code } = errorOf((await read(stage, [refusal(409, {}, "a_code_of_tomorrow")])).outcome);
      assert.deepEqual([name, code], ["RefusedError", "a_code_of_tomorrow"]);
    },
  },
  {
    promise: "A refusal tells its status, its request, and the whole of its body",
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
    promise: "What is no refusal of the service is told by its status, not taken for one",
    async run(stage) {
      for (const body of ["<h1>Down</h1>", '{"message":"down"}', '{"error":{"code":1}}', "null", "[]"]) {
        const error = errorOf((await read(stage, [{ status: 502, body }], { maxRetries: 0 })).outcome);
        assert.deepEqual([error.name, error.code, error.retryable], ["RefusedError", null, true]);
        assert.deepEqual(error.body, { error: "Bad Gateway" });
      }
    },
  },
];
