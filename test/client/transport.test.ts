import { describe, expect, it, vi } from "vitest";
import { ConnectionError, NotFoundError, partnerApi, TimeoutError } from "../../client/src/index.ts";
import { scriptedService } from "./scripted-service.ts";

const id = "0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10";
const made = { status: 201, body: { id } };
const _inProgress = {
  status: 409,
  body: { error: "in progress", code: "idempotency_key_in_progress" },
  headers: { "x-should-retry": "true", "retry-after": "1" },
};
const unexpected = (headers: Record<string, string> = {}) => ({
  status: 500,
  body: { error: "Unexpected error" },
  headers,
});

describe("a client call", () => {
  it("returns an image without reading its body, but reads the body of an error", async () => {
    const { api } = await scriptedService([
      "stall",
      { status: 404, body: { error: "Not found", code: "not_found" } },
    ]);
    const image = await api.deliverables.getImage(id, 1, { maxRetries: 0 });
    expect([image.status, image.headers.get("content-length")]).toEqual([200, "100"]);
    await image.body?.cancel();
    await expect(api.deliverables.getImage(id, 1)).rejects.toBeInstanceOf(NotFoundError);
  });

  it("fails with an error that names webhookSecret if it verifies a delivery without one", async () => {
    const { api } = await scriptedService([]);
    await expect(api.webhooks.verify("{}", {})).rejects.toThrow(new TypeError("webhookSecret is missing"));
  });
});

it.each(["baseUrl", "apikey", "token"])(
  "partnerApi rejects options without %s and names the missing option",
  (name) => {
    const options = { baseUrl: "https://api.example.com", apikey: "pk", token: "svc", [name]: undefined };
    expect(() => partnerApi(options)).toThrow(new TypeError(`${name} is missing`));
  },
);

describe("a retry", () => {
  it("follows an error response that was cut off, even for an image", async () => {
    const broken = new ReadableStream({ start: (body) => body.error(new TypeError("terminated")) });
    const answers = [new Response(broken, { status: 503 }), new Response("image")];
    const { api, asked } = await scriptedService([], { fetch: async () => answers.shift() as Response });
    expect(await (await api.deliverables.getImage(id, 1)).text()).toBe("image");
    expect(asked).toHaveLength(0);
  });
});

it("a request that cannot be sent fails at once", async () => {
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

it("a call has three retries with a time limit of 30 seconds each by default", async () => {
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

describe("the time limit", { timeout: 30_000 }, () => {
  it("ends a call without a response", async () => {
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

  it("can be cut short by the caller's signal, even between two attempts", async () => {
    const { api, asked } = await scriptedService(["silence", unexpected({ "retry-after": "60" })]);
    const reason = new Error("the user left");
    const abortedOnceAsked = (times: number) => abortedWhen(() => asked.length === times, reason);
    const only = { signal: abortedOnceAsked(1), maxRetries: 0 };
    await expect(api.invoices.get(id, only)).rejects.toBe(reason);
    const waiting = api.invoices.get(id, { signal: abortedOnceAsked(2) });
    await expect(waiting).rejects.toBe(reason);
    expect(asked).toHaveLength(2);
  });

  it("applies to every method and every page", async () => {
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

/** Aborts shortly after the condition becomes true, while the call waits for a response or its next attempt. */
function abortedWhen(isSo: () => boolean, reason: Error): AbortSignal {
  const controller = new AbortController();
  vi.waitUntil(isSo, { timeout: 20_000, interval: 5 }).then(() => {
    setTimeout(() => controller.abort(reason), 100);
  });
  return controller.signal;
}
