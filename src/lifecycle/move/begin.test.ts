import { expect, it } from "vitest";
import type { CellFacts, OngoingMove } from "../../contract/move.ts";
import { refuseTo } from "./begin.ts";

const cell = (name: string, more: Partial<CellFacts> = {}): CellFacts => ({
  name,
  state: "open",
  migration: "0040",
  keys: "equal",
  plans: { agency: "100" },
  ...more,
});

const judged = (target: CellFacts | null, underWay?: Pick<OngoingMove, "to" | "state">) =>
  refuseTo(cell("a"), { target, cells: ["a", "b"], mover: "m" }, "agency", underWay)?.text ?? null;

it("moves a workspace only to an open cell with the same migrations, keys and plan", () => {
  expect(judged(cell("b"))).toBeNull();
  expect(judged(null)).toBe("to must be one of a, b");
  expect(judged(cell("a"))).toBe("The workspace is already in cell a");
  expect(judged(cell("b", { state: "full" }))).toBe("Cell b is full, so it does not accept workspaces");
  expect(judged(cell("b", { migration: "0039" }))).toBe("The two cells have different migrations");
  expect(judged(cell("b", { keys: "others" }))).toBe("The two cells have different keys");
  expect(judged(cell("b", { plans: { agency: "200" } }))).toBe(
    "The two cells have different values for the plan agency",
  );
  expect(refuseTo(cell("a"), null, "agency", undefined)?.text).toBe("to must be one of a");
});

it("continues a move only to its target cell, even if that cell has filled up since", () => {
  expect(judged(cell("b", { state: "full" }), { to: "b", state: "copying" })).toBeNull();
  expect(judged(cell("b"), { to: "c", state: "copying" })).toBe("The workspace is moving to cell c");
  expect(judged(cell("b"), { to: "b", state: "back" })).toBe("This move is being canceled");
});
