import { vi } from "vitest";

export function logged(): () => Record<string, unknown>[] {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  return () => log.mock.calls.map(([line]) => JSON.parse(String(line)));
}
