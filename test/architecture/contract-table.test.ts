import { expect, it } from "vitest";
import table from "../contract/README.md?raw";

/** Every test of the repository, as the table names it. */
const tests = Object.keys(import.meta.glob(["../**/*.test.ts", "../../src/**/*.test.ts"])).map((path) =>
  path.replace(/^\.\.\/\.\.\/src\//, "src/").replace(/^\.\.\/contract\//, ""),
);

const named = [...table.matchAll(/`([^`]+\.test\.ts)`/g)].map((match) => match[1] as string);

it("every test that the clause table names exists", () => {
  expect(named.filter((name) => !tests.includes(name))).toEqual([]);
});

it("every test of the contract stands in the clause table", () => {
  expect(tests.filter((name) => !name.includes("/")).filter((name) => !named.includes(name))).toEqual([]);
});
