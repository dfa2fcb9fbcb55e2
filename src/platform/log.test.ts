import { expect, it, onTestFinished, vi } from "vitest";
import { report } from "./log.ts";

/** Returns the line that `report` writes. */
function reported(error: unknown): string {
  const spy = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => spy.mockRestore());
  report({ failed: "record" }, error);
  return String(spy.mock.lastCall?.[0]);
}

it("only the cause of an error is logged, if it has one, because the message may contain bound values", () => {
  const failed = new Error("Failed query, params: mara@acme.example", { cause: new Error("D1_ERROR: down") });
  expect(JSON.parse(reported(failed))).toEqual({ failed: "record", error: "D1_ERROR: down" });
  expect(JSON.parse(reported(new AggregateError([failed, failed])))).toEqual({
    failed: "record",
    error: "D1_ERROR: down; D1_ERROR: down",
  });
});
