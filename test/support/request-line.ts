import { expect, type MockInstance } from "vitest";

/** The log line of the only request. */
export function requestLineOf(log: MockInstance<typeof console.log>, headers: Headers): string {
  const requestId = headers.get("x-request-id") ?? "?";
  const lines = log.mock.calls.map(String).filter((text) => text.includes(requestId));
  expect(lines).toHaveLength(1);
  return lines[0] ?? "";
}
