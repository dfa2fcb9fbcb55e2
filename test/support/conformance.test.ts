import { expect, it } from "vitest";
import { listClients } from "../../src/routes/v1/clients.ts";
import { conforms } from "./conformance.ts";

/** Checks that a test fails if a response does not conform to the document. */

const asked = { method: "GET", path: "/api-v1/clients?limit=1", origin: null };
const good = {
  "content-type": "application/json",
  "x-request-id": "8f14e45f-ceea-467f-a8d2-0d4a3a4a1c11",
  "cache-control": "private, no-store",
  "ratelimit-limit": "60",
  "ratelimit-policy": "60;w=60",
  "ratelimit-reset": "42",
  vary: "Origin",
};
const page = listClients.examples.answer as { data: object[]; next_cursor: string | null };
const [client] = page.data;

const without = (name: keyof typeof good) => {
  const { [name]: _, ...headers } = good;
  return headers;
};

const holds = (body: unknown, headers: Record<string, string> = good, status = 200, changes = {}) =>
  conforms({ ...asked, ...changes }, new Response(JSON.stringify(body), { status, headers }));

it("accepts the documented responses [E1, E3]", async () => {
  await holds(page);
  await holds(
    { error: "limit must be an integer from 1 to 200" },
    { ...good, "x-should-retry": "false" },
    400,
  );
});

it.each<[string, () => Promise<void>]>([
  ["an undocumented path", () => holds(page, good, 200, { path: "/api-v1/nothing" })],
  ["an undocumented status", () => holds(page, good, 202)],
  ["an undocumented field", () => holds({ data: [{ ...client, secret: 1 }], next_cursor: null })],
  ["a field of the wrong type", () => holds({ data: [{ ...client, is_sample: "no" }], next_cursor: null })],
  ["a missing field", () => holds({ data: [{ id: "x" }], next_cursor: null })],
  [
    "an undocumented value of an enum",
    () => holds({ data: [{ ...client, status: "x" }], next_cursor: null }),
  ],
  ["an invalid timestamp", () => holds({ data: [{ ...client, created_at: "today" }], next_cursor: null })],
  ["an error with a code for another status", () => holds({ error: "x", code: "not_found" }, good, 400)],
  ["an error with an undocumented field", () => holds({ error: "x", hint: "y" }, good, 400)],
  ["a response without X-Request-Id", () => holds(page, without("x-request-id"))],
  ["a response that may be cached", () => holds(page, { ...good, "cache-control": "no-cache" })],
  ["a response without rate limit headers", () => holds(page, without("ratelimit-policy"))],
  ["RateLimit-Remaining", () => holds(page, { ...good, "ratelimit-remaining": "1" })],
  ["rate limit headers before the count", () => holds({ error: "Invalid or missing apikey" }, good, 401)],
  ["a 405 without Allow", () => holds({ error: "Method not allowed" }, without("ratelimit-limit"), 405)],
  ["an Origin that is not reflected", () => holds(page, good, 200, { origin: "https://partner.example" })],
  [
    "a 400 with X-Should-Retry: true",
    () => holds({ error: "limit must be an integer" }, { ...good, "x-should-retry": "true" }, 400),
  ],
  ["a success with X-Should-Retry", () => holds(page, { ...good, "x-should-retry": "false" })],
  ["a response that is not JSON", () => holds(page, { ...good, "content-type": "text/plain" })],
])("rejects %s", async (_, attempt) => {
  await expect(attempt()).rejects.toThrow(/ answered \d{3}: /);
});
