import { expect, type MockInstance, vi } from "vitest";

/** The one line that a request wrote into the log, behind its answer. */
export async function requestLineOf(
  log: MockInstance<typeof console.log>,
  headers: Headers,
): Promise<string> {
  const requestId = headers.get("x-request-id") ?? "?";
  const lines = await vi.waitFor(() => {
    const found = log.mock.calls.map(String).filter((text) => text.includes(requestId));
    expect(found).not.toEqual([]);
    return found;
  }, 10_000);
  expect(lines).toHaveLength(1);
  return lines[0] ?? "";
}
