import { describe, expect, it, vi } from "vitest";
import {
  AuthenticationError,
  ConnectionError,
  DeliverableSignedOffError,
  InsufficientScopeError,
  NotFoundError,
  partnerApi,
  RateLimitError,
  RefusedError,
  TimeoutError,
  ValidationError,
} from "../../client/src/index.ts";
import { scriptedService } from "./scripted-service.ts";

const id = "0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10";
const made = { status: 201, body: { id } };
const inProgress = {
  status: 409,
  body: { error: "in progress", code: "idempotency_key_in_progress" },
  headers: { "x-should-retry": "true", "retry-after": "1" },
};
const unexpected = (headers: Record<string, string> = {}) => ({
  status: 500,
  body: { error: "Unexpected error" },
  headers,
});

describe("a call", () => {
  it("carries apikey and token, and no body or key where it reads", async () => {
    const { api, asked } = await scriptedService([{ status: 200, body: { id } }]);
    expect(await api.invoices.get(id)).toEqual({ id });
    expect(asked[0]).toMatchObject({
      method: "GET",
      headers: { accept: "application/json", apikey: "pk_test", authorization: "Bearer svc_test" },
      body: undefined,
    });
    expect(asked[0]?.url.pathname).toBe(`/api-v1/invoices/${id}`);
    for (const name of ["idempotency-key", "content-type"]) expect(asked[0]?.headers[name]).toBeUndefined();
  });

  it("gives an image as it comes, and the body of a refusal whole", async () => {
    const { api } = await scriptedService([
      "stall",
      { status: 404, body: { error: "Not found", code: "not_found" } },
    ]);
    const image = await api.deliverables.getImage(id, 1, { maxRetries: 0 });
    expect([image.status, image.headers.get("content-length")]).toEqual([200, "100"]);
    await image.body?.cancel();
    await expect(api.deliverables.getImage(id, 1)).rejects.toBeInstanceOf(NotFoundError);
  });

  it("without a webhookSecret verifies no delivery, and says what is missing", async () => {
    const { api } = await scriptedService([]);
    await expect(api.webhooks.verify("{}", {})).rejects.toThrow(new TypeError("webhookSecret is missing"));
  });

  it("puts a value into the path as one segment, whatever it holds", async () => {
    const { api, asked } = await scriptedService([{ status: 200, body: {} }]);
    await api.invoices.get("../tokens?x=1");
    expect(asked[0]?.url.pathname).toBe("/api-v1/invoices/..%2Ftokens%3Fx%3D1");
  });

  it("leaves a filter out that is undefined, and null where somebody has no types", async () => {
    const { api, asked } = await scriptedService([{ status: 200, body: { data: [], next_cursor: null } }]);
    await api.clients.list({ limit: 0, updated_since: undefined, email: null as never }).page();
    expect(asked[0]?.url.search).toBe("?limit=0");
  });

  it("follows no redirect: the token goes nowhere else", async () => {
    const { api, asked } = await scriptedService([{ status: 302, headers: { location: "/elsewhere" } }]);
    await expect(api.invoices.get(id)).rejects.toMatchObject({ status: 302 });
    expect(asked).toHaveLength(1);
  });
});

describe("a write", () => {
  it("carries an Idempotency-Key by itself, a new one for each call", async () => {
    const { api, asked } = await scriptedService([made]);
    await api.clients.create({ company_name: "Acme" });
    await api.clients.create({ company_name: "Acme" });
    const keys = asked.map(({ headers }) => headers["idempotency-key"]);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).not.toBe(keys[0]);
    const headers = { "content-type": "application/json" };
    expect(asked[0]).toMatchObject({ headers, body: { company_name: "Acme" } });
  });

  it("carries the caller's key where one is given", async () => {
    const { api, asked } = await scriptedService([made]);
    await api.deliverables.send(id, undefined, { idempotencyKey: "order 7" });
    expect(asked[0]?.headers["idempotency-key"]).toBe("order 7");
    expect(asked[0]?.url.pathname).toBe(`/api-v1/deliverables/${id}/send`);
    expect(asked[0]?.body).toEqual({});
  });

  it("is the same request on every retry, key and body", async () => {
    const { api, asked } = await scriptedService(["cut", unexpected(), inProgress, made]);
    expect(await api.clients.create({ company_name: "Acme" })).toEqual({ id });
    expect(asked).toHaveLength(4);
    expect(new Set(asked.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    expect(new Set(asked.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });
});

describe("a retry", () => {
  it("comes where X-Should-Retry says so, and never where it says not", async () => {
    const refusing = await scriptedService([unexpected({ "x-should-retry": "false" })]);
    await expect(refusing.api.invoices.get(id)).rejects.toBeInstanceOf(RefusedError);
    expect(refusing.asked).toHaveLength(1);

    const conflict = { status: 409, body: { error: "no", code: "deliverable_signed_off" } };
    const silent = await scriptedService([conflict]);
    await expect(silent.api.invoices.get(id)).rejects.toBeInstanceOf(DeliverableSignedOffError);
    expect(silent.asked).toHaveLength(1);

    const told = await scriptedService([{ ...conflict, headers: { "x-should-retry": "true" } }, made]);
    expect(await told.api.invoices.get(id)).toEqual({ id });
  });

  it("comes after a failure of something in front of the service, which knows no X-Should-Retry", async () => {
    const headers = { "content-type": "text/html" };
    const { api, asked } = await scriptedService([{ status: 503, body: "<h1>Down</h1>", headers }, made]);
    expect(await api.invoices.get(id)).toEqual({ id });
    expect(asked).toHaveLength(2);
    const blocking = await scriptedService([{ status: 403, body: "<h1>Blocked</h1>", headers }]);
    await expect(blocking.api.invoices.get(id)).rejects.toMatchObject({ name: "RefusedError", status: 403 });
    expect(blocking.asked).toHaveLength(1);
  });

  it("comes after a page that something in front of the service answers in its place", async () => {
    const text = "<h1>Sign in</h1>".padEnd(200, "!");
    const page = { status: 200, body: `${text}!`, headers: { "content-type": "text/html" } };
    const { api, asked } = await scriptedService([page, made]);
    expect(await api.invoices.get(id)).toEqual({ id });
    expect(asked).toHaveLength(2);
    const alone = await scriptedService([page], { maxRetries: 0 });
    const error = await alone.api.invoices.get(id).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.message).toBe(`No answer of the service: ${text}`);
  });

  it("comes after a body that breaks off", async () => {
    const { api, asked } = await scriptedService(["stall", made], { timeoutMs: 300 });
    expect(await api.invoices.get(id)).toEqual({ id });
    expect(asked).toHaveLength(2);
  });

  it("comes after a refusal that breaks off, also where an image was asked for", async () => {
    const broken = new ReadableStream({ start: (body) => body.error(new TypeError("terminated")) });
    const answers = [new Response(broken, { status: 503 }), new Response("image")];
    const { api, asked } = await scriptedService([], { fetch: async () => answers.shift() as Response });
    expect(await (await api.deliverables.getImage(id, 1)).text()).toBe("image");
    expect(asked).toHaveLength(0);
  });

  it("waits at least as long as Retry-After says", async () => {
    const { api, asked } = await scriptedService([inProgress, made]);
    await api.clients.create({ company_name: "Acme" });
    expect((asked[1]?.atMs ?? 0) - (asked[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it("does not wait for hours: a hint beyond the minute of the rate limit is the caller's", async () => {
    const full = {
      status: 429,
      body: { error: "Rate limit exceeded", code: "rate_limit_exceeded", retry_after_seconds: 7200 },
      headers: { "retry-after": "7200", "x-should-retry": "true" },
    };
    const { api, asked } = await scriptedService([full]);
    const error = await api.invoices.get(id).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(RateLimitError);
    expect([error.body.retry_after_seconds, error.retryable]).toEqual([7200, true]);
    expect(asked).toHaveLength(1);
  });

  it("ends with maxRetries, of the client or of the call", async () => {
    const { api, asked } = await scriptedService(["cut"], { maxRetries: 2 });
    const error = await api.invoices.get(id).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ retryable: true, cause: { message: "fetch failed" } });
    expect(asked).toHaveLength(3);
    await expect(api.invoices.get(id, { maxRetries: 0 })).rejects.toBeInstanceOf(ConnectionError);
    expect(asked).toHaveLength(4);
  });
});

it("what no attempt could send is no outage: it throws at once", async () => {
  const { api, asked } = await scriptedService([made]);
  const nowhere = partnerApi({ baseUrl: "api.example.com", apikey: "pk_test", token: "svc_test" });
  for (const call of [
    () => api.clients.create({ company_name: "Acme" }, { idempotencyKey: "row 😀" }),
    () => api.scopeRequests.ingest({ client_id: id, content: "Hello", metadata: { count: 1n } }),
    () => nowhere.invoices.get(id),
  ]) {
    await expect(call()).rejects.toBeInstanceOf(TypeError);
  }
  expect(asked).toHaveLength(0);
});

it("a call has three retries, and each attempt 30 seconds, unless somebody says otherwise", async () => {
  const timeout = vi.spyOn(AbortSignal, "timeout");
  const timers = vi.spyOn(globalThis, "setTimeout");
  const random = vi.spyOn(Math, "random").mockReturnValue(0.3);
  const { api, asked } = await scriptedService(["cut"]);
  await expect(api.invoices.get(id)).rejects.toBeInstanceOf(ConnectionError);
  expect(asked).toHaveLength(4);
  expect(timeout.mock.calls).toEqual(Array(4).fill([30_000]));
  expect(timers.mock.calls.map(([, ms]) => ms)).toEqual(expect.arrayContaining([150, 300, 600]));
  for (const spy of [timeout, timers, random]) spy.mockRestore();
});

describe("time", { timeout: 30_000 }, () => {
  it("runs out for an answer that does not come", async () => {
    const { api, asked } = await scriptedService(["silence"], { maxRetries: 1, timeoutMs: 1000 });
    const error = await api.invoices.get(id).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ name: "TimeoutError", cause: { name: "TimeoutError" } });
    expect(asked).toHaveLength(2);
    await expect(api.invoices.get(id, { timeoutMs: 100, maxRetries: 0 })).rejects.toThrow("within 100 ms");
    const { signal } = new AbortController();
    await expect(api.invoices.get(id, { signal, timeoutMs: 100, maxRetries: 0 })).rejects.toThrow(
      TimeoutError,
    );
  });

  it("is the caller's: an abort ends the call at once, also between two attempts", async () => {
    const { api, asked } = await scriptedService(["silence", unexpected({ "retry-after": "60" })]);
    const reason = new Error("the user left");
    const abortedOnceAsked = (times: number) => abortedWhen(() => asked.length === times, reason);
    const only = { signal: abortedOnceAsked(1), maxRetries: 0 };
    await expect(api.invoices.get(id, only)).rejects.toBe(reason);
    const waiting = api.invoices.get(id, { signal: abortedOnceAsked(2) });
    await expect(waiting).rejects.toBe(reason);
    expect(asked).toHaveLength(2);
  });

  it("is the caller's in every method, also on the second page", async () => {
    const body = { data: [], next_cursor: "c1" };
    const { api, asked } = await scriptedService([{ status: 200, body }, "silence"]);
    const reason = new Error("the user left");
    const abortedOnceAsked = (times: number) => abortedWhen(() => asked.length === times, reason);
    const left = { signal: AbortSignal.abort(reason) };
    for (const call of [
      () => api.invoices.get(id, left),
      () => api.deliverables.getImage(id, 1, left),
      () => api.clients.create({ company_name: "Acme" }, left),
      () => api.clients.list({}, left).page(),
    ]) {
      await expect(call()).rejects.toBe(reason);
    }
    expect(asked).toHaveLength(0);
    const events = api.events.list({}, { signal: abortedOnceAsked(2) });
    await expect(Array.fromAsync(events)).rejects.toBe(reason);
    expect(asked).toHaveLength(2);
  });
});

describe("a refusal", () => {
  it.each([
    [400, { error: "title is required" }, ValidationError],
    [401, { error: "Invalid or missing API token" }, AuthenticationError],
    [403, { error: "no", code: "insufficient_scope", required_scope: "time:read" }, InsufficientScopeError],
    [404, { error: "Not found", code: "not_found" }, NotFoundError],
    [418, { error: "new", code: "a_code_of_tomorrow" }, RefusedError],
  ])("%i %o", async (status, body, Class) => {
    const headers = { "x-request-id": "request 7", "x-should-retry": "false" };
    const { api } = await scriptedService([{ status, body, headers }]);
    const error = await api.invoices.get(id).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(Class);
    expect(error.constructor).toBe(Class);
    expect(error).toMatchObject({ status, body, code: "code" in body ? body.code : undefined });
    expect(error).toMatchObject({ name: Class.name, requestId: "request 7", retryable: false });
    expect(error.message).toBe(`${status} ${"code" in body ? `${body.code}: ` : ""}${body.error}`);
  });
});

describe("a list", () => {
  const page = (name: string, next_cursor: string | null) => ({
    status: 200,
    body: { data: [{ id: `${name}1` }, { id: `${name}2` }], next_cursor },
  });

  it("is walked by for await, page by page with the same filters", async () => {
    const { api, asked } = await scriptedService([page("a", "c1"), page("b", "c2"), page("c", null)]);
    const ids: string[] = [];
    const since = "2026-01-31T09:30:00Z";
    for await (const client of api.clients.list({ limit: 2, updated_since: since })) ids.push(client.id);
    expect(ids).toEqual(["a1", "a2", "b1", "b2", "c1", "c2"]);
    expect(asked.map(({ url }) => url.searchParams.get("cursor"))).toEqual([null, "c1", "c2"]);
    expect(asked.every(({ url }) => url.searchParams.get("updated_since") === since)).toBe(true);
  });

  it("begins at the query's cursor", async () => {
    const { api, asked } = await scriptedService([page("b", null)]);
    await api.clients.list({ cursor: "c1" }).page();
    await api.events.list({ cursor: "c1" }).page();
    expect(asked.map(({ url }) => url.search)).toEqual(["?cursor=c1", "?cursor=c1"]);
  });

  it("of events is walked with the same filters, too", async () => {
    const { api, asked } = await scriptedService([page("a", "c1"), page("b", null)]);
    const ids: string[] = [];
    for await (const event of api.events.list({ types: "money", subject_id: id })) ids.push(event.id);
    expect(ids).toEqual(["a1", "a2", "b1", "b2"]);
    const filters = `types=money&subject_id=${id}`;
    expect(asked.map(({ url }) => url.search)).toEqual([`?${filters}`, `?${filters}&cursor=c1`]);
  });

  it("asks for no page that nobody walks to, and for none before it is walked", async () => {
    const { api, asked } = await scriptedService([page("a", "c1")]);
    const clients = api.clients.list();
    expect(asked).toHaveLength(0);
    for await (const _ of clients) break;
    expect(asked).toHaveLength(1);
    expect(await clients.page()).toEqual(page("a", "c1").body);
  });
});

/** Aborts soon after the condition holds: by then the call waits for an answer, or for its next attempt. */
function abortedWhen(isSo: () => boolean, reason: Error): AbortSignal {
  const controller = new AbortController();
  vi.waitUntil(isSo, { timeout: 20_000, interval: 5 }).then(() => {
    setTimeout(() => controller.abort(reason), 100);
  });
  return controller.signal;
}
