import { vi } from "vitest";

/** Captures the errors that are logged from now on. */
export function logged(): () => Record<string, unknown>[] {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  return () => log.mock.calls.map(([line]) => JSON.parse(String(line)));
}
