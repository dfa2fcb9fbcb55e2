import { expect, it } from "vitest";
import { remember } from "./remember.ts";

it("remember clears a full map to add a key, but not to update one", () => {
  const memory = new Map<string, number>();
  const remembered = (key: string, value: number) => {
    remember(memory, key, value, 2);
    return [...memory];
  };
  remembered("a", 1);
  expect(remembered("b", 2)).toEqual([
    ["a", 1],
    ["b", 2],
  ]);
  expect(remembered("a", 3)).toEqual([
    ["a", 3],
    ["b", 2],
  ]);
  expect(remembered("c", 4)).toEqual([["c", 4]]);
});
