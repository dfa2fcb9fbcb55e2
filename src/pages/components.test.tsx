import { expect, it } from "vitest";
import { When } from "./components.tsx";

const at = "2026-01-31T09:05:07.000Z";

it("a point in time is its day; exactly, its minute in UTC, too", () => {
  expect(String(<When at={at} />)).toBe(`<time datetime="${at}">31 January 2026</time>`);
  expect(String(<When at={at} exact />)).toBe(`<time datetime="${at}">31 January 2026, 09:05 UTC</time>`);
});
