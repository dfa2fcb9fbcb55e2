import { describe, expect, inject, it } from "vitest";
import { received } from "../../test/support/received.ts";
import { type PostOutcome, postWebhook } from "./post-webhook.ts";

const receivers = inject("receivers");

/** A short deadline for receivers that hang, to keep the tests fast. The other tests use the real one. */
const shortDeadlineMs = 700;
const request = {
  headers: { "content-type": "application/json", "webhook-id": "delivery" },
  body: '{"é":1}',
};
const post = (url: string, deadlineMs?: number) => postWebhook(fetch, { url, ...request }, deadlineMs);
const postTo = (path: string, deadlineMs?: number) => post(receivers.http + path, deadlineMs);
const ownPath = (behavior: string) => `/${behavior}/${crypto.randomUUID()}`;

const answer = (status: number, body: string | RegExp = ""): PostOutcome => ({
  kind: "answer",
  status,
  retryAfter: null,
  body: typeof body === "string" ? body : expect.stringMatching(body),
  latencyMs: expect.any(Number),
});
const failed = (kind: "network_error" | "timeout"): PostOutcome => ({ kind, latencyMs: expect.any(Number) });

describe("an attempt", () => {
  it("posts exactly the bytes and headers that it was given", async () => {
    const path = ownPath("status/200");
    expect(await postTo(path)).toEqual(answer(200, "answered 200"));
    const [got, ...more] = await received(path);
    expect(more).toEqual([]);
    expect(got).toMatchObject({ method: "POST", body: request.body, headers: request.headers });
  });

  it.each([200, 201, 400, 404, 408, 410, 429, 500, 503])("reports a %i with its body", async (status) => {
    expect(await postTo(`/status/${status}`)).toEqual(answer(status, `answered ${status}`));
  });

  it("reports a 204 with an empty body", async () => {
    expect(await postTo("/status/204")).toEqual(answer(204));
  });

  it.each([301, 302, 303, 307, 308])("reports a %i and does not follow it [W17]", async (status) => {
    expect(await postTo(`/redirect/${status}`)).toEqual(answer(status));
    expect(await received("/status/200/redirected")).toEqual([]);
  });

  it.each([
    ["429,seconds", /^120$/],
    ["503,date", / GMT$/],
    ["429,negative", /^-5$/],
    ["429,garbage", /^in a while$/],
    ["503,huge", /^9{20}$/],
  ])("passes Retry-After on unchanged: %s", async (argument, hint) => {
    const outcome = await postTo(`/retry-after/${argument}`);
    expect(outcome).toMatchObject({ kind: "answer", retryAfter: expect.stringMatching(hint) });
  });
});

describe("a response body, of which up to 16 KiB are read and 2 KiB stored [W15]", () => {
  it.each(["huge", "endless"])(
    "is truncated if it is %s, and the connection is dropped",
    async (behavior) => {
      const path = ownPath(behavior);
      expect(await postTo(path)).toEqual(answer(200, /^[hx]{2048}$/));
      await expect.poll(async () => (await received(path))[0]?.abandoned, { timeout: 10_000 }).toBe(true);
    },
  );

  it("is truncated if gzip inflates it", async () => {
    expect(await postTo("/gzip-bomb")).toEqual(answer(200, "\uFFFD".repeat(2048)));
  });

  it("is truncated and canceled if it inflates beyond its Content-Length", async () => {
    let sent = 0;
    const canceled = Promise.withResolvers<string>();
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 200) controller.close();
        else controller.enqueue(new TextEncoder().encode("x".repeat(1024)));
      },
      cancel: () => canceled.resolve("canceled"),
    });
    const headers = { "content-length": "100", "content-encoding": "gzip" };
    const inflating = async () => ({
      status: 200,
      headers: new Headers(headers),
      body,
      text: () => new Response(body).text(),
    });
    const outcome = await postWebhook(inflating as never, { url: receivers.http, ...request });
    expect(outcome).toEqual(answer(200, "x".repeat(2048)));
    expect(sent).toBeLessThan(30);
    const late = new Promise((resolve) => setTimeout(resolve, 5_000, "late"));
    expect(await Promise.race([canceled.promise, late])).toBe("canceled");
  });

  it("loses a character that is split by the limit", async () => {
    expect(await postTo("/accents")).toEqual(answer(200, `x${"é".repeat(1023)}`));
  });

  it("may contain bytes that are not valid UTF-8", async () => {
    expect(await postTo("/binary")).toEqual(answer(200, "ok\uFFFD\uFFFD\uFFFD("));
  });
});

describe("the deadline for connect, headers and body [W15]", () => {
  it.each(["/slow/60000", "/drip", "/unfinished"])("applies to %s", async (path) => {
    expect(await postTo(path, shortDeadlineMs)).toEqual(failed("timeout"));
  });

  it.each(["http", "https"] as const)(
    "times out on a receiver that accepts the %s connection and sends nothing",
    async (scheme) => {
      const outcome = await post(receivers.silent[scheme], shortDeadlineMs);
      expect(outcome).toEqual(failed("timeout"));
      expect(outcome.latencyMs).toBeGreaterThanOrEqual(shortDeadlineMs - 50);
      expect(outcome.latencyMs).toBeLessThan(shortDeadlineMs + 5_000);
    },
  );

  it("drops the connection when it passes", async () => {
    const path = ownPath("drip");
    await postTo(path, shortDeadlineMs);
    await expect.poll(async () => (await received(path))[0]?.abandoned, { timeout: 10_000 }).toBe(true);
  });

  it("is 5 seconds", async () => {
    const outcome = await postWebhook(fetch, { url: `${receivers.http}/unfinished`, ...request });
    expect(outcome).toEqual(failed("timeout"));
    expect(outcome.latencyMs).toBeGreaterThanOrEqual(4_900);
    expect(outcome.latencyMs).toBeLessThan(10_000);
  });
});

describe("a network error", () => {
  it.each(["/reset", "/half", "/nonsense", "/broken-gzip"])("is reported for %s", async (path) => {
    expect(await postTo(path)).toEqual(failed("network_error"));
  });

  it("is reported for a self-signed certificate", async () => {
    const path = ownPath("status/200");
    expect(await post(receivers.selfSigned + path)).toEqual(failed("network_error"));
    expect(await received(path)).toEqual([]);
  });

  it("is reported for TLS to a plain HTTP server", async () => {
    expect(await post(receivers.http.replace("http:", "https:"))).toEqual(failed("network_error"));
    expect(await post(receivers.selfSigned.replace("https:", "http:"))).toMatchObject({
      latencyMs: expect.any(Number),
    });
  });

  it("is reported for a closed port, an invalid URL and an internal error", async () => {
    expect(await post(receivers.closed)).toEqual(failed("network_error"));
    expect(await post("not a url")).toEqual(failed("network_error"));
    const failing = () => Promise.reject(new Error("internal error; reference=abc"));
    expect(await postWebhook(failing, { url: receivers.http, ...request })).toEqual(failed("network_error"));
  });
});
