import { expect, it } from "vitest";
import { BoundedMap } from "./bounded-map.ts";

it("a full BoundedMap is cleared to add a key, but not to update one", () => {
  const map = new BoundedMap<number>(2);
  const entriesAfter = (key: string, value: number) => [...map.set(key, value)];
  entriesAfter("a", 1);
  expect(entriesAfter("b", 2)).toEqual([
    ["a", 1],
    ["b", 2],
  ]);
  expect(entriesAfter("a", 3)).toEqual([
    ["a", 3],
    ["b", 2],
  ]);
  expect(entriesAfter("c", 4)).toEqual([["c", 4]]);
});
