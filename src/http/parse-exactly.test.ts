import { describe, expect, it } from "vitest";
import { isTooDeep, parseExactly } from "./parse-exactly.ts";

describe("numbers in JSON", () => {
  it.each([
    "0",
    "-0",
    "0.0",
    "1.10",
    "1e5",
    "1E+2",
    "100e-2",
    "0.1",
    "0.30000000000000004",
    "9007199254740991",
    "9007199254740993e0".replace("3e0", "2"),
    `1${"0".repeat(300)}`,
    "1.7976931348623157e308",
    "5e-324",
    `0.${"0".repeat(30)}1`,
  ])("%s is exact", (text) => {
    expect(parseExactly(`{"amount": ${text}}`)).toEqual({ value: { amount: Number(text) } });
  });

  it.each([
    "12345678901234567890",
    "9007199254740993",
    "1e400",
    "-1e400",
    "1e-400",
    "0.1000000000000000055",
    "1.00000000000000000001",
    "-12345678901234567890",
  ])("%s is reported as inexact", (text) => {
    expect(parseExactly(`{"amount": ${text}}`).inexact).toBe("amount");
  });

  it("are checked up to the first inexact one, whose path is reported", () => {
    const text = '{"a": [1, {"b": {"": 1e400, "c": 1e400}}], "d": 1e400}';
    expect(parseExactly(text).inexact).toBe("a.1.b.");
    expect(parseExactly("1e400").inexact).toBe("body");
  });

  it("are checked only in the given fields, if any", () => {
    const text = '{"a": 1e400, "b": {"c": [1e400]}}';
    expect(parseExactly(text, ["b", "d"]).inexact).toBe("b.c.0");
    expect(parseExactly(text, ["c", "d", "0"])).toEqual({ value: { a: Infinity, b: { c: [Infinity] } } });
    expect(parseExactly("1e400", ["a"])).toEqual({ value: Infinity });
  });

  it("are checked in linear time, even if they are very long", () => {
    const text = `1${"0".repeat(1_000_000)}1`;
    expect(parseExactly(`[${text}]`).inexact).toBe("0");
  });
});

describe("names in JSON", () => {
  it.each([
    '{"a": {"a": 1}, "b": {"a": 1}, "c": [{"a": 1}, {"a": 1}]}',
    '{"a": "a", "b": "\\"a\\":", "c": "\\\\", "d": ["a", "a"]}',
    '{"a": 1, "A": 1, "a ": 1, "": 1, "1": 1, "0": [1, 1]}',
    "[]",
  ])("are not reported as repeated: %s", (text) => {
    expect(parseExactly(text)).toEqual({ value: JSON.parse(text) });
  });

  it.each([
    ['{"a": 1, "b": 2, "a": 1}', "a"],
    ['{"a": {"b": [{"c": 1}, {"c": 1, "d": {}, "c": 1}]}}', "a.b.1.c"],
    ['{"a": 1, "\\u0061": 1}', "a"],
    ['{"\\"": 1 , "\\u0022" : 1}', '"'],
    ['{"a\\\\": 1, "b": "\\\\", "a\\\\": 1}', "a\\"],
    ['{"__proto__": 1, "__proto__": 1}', "__proto__"],
    ['{"": 1, "": 1}', "body"],
    ['{"a": {"b": 1, "b": 1}, "a": 1}', "a.b"],
  ])("are reported if repeated: %s", (text, repeated) => {
    expect(parseExactly(text)).toEqual({ value: JSON.parse(text), repeated });
  });

  it("are checked only in the given fields, if any", () => {
    const text = '{"a": 1, "a": 1, "b": {"c": 1, "c": 1}, "b": 1}';
    expect(parseExactly(text, ["b"]).repeated).toBe("b.c");
    expect(parseExactly(text, ["c"]).repeated).toBeUndefined();
  });

  it("are checked even if every number is exact", () => {
    expect(parseExactly('{"a": 1, "a": 1, "b": 1e400}')).toEqual({
      value: { a: 1, b: Infinity },
      inexact: "b",
    });
  });

  it("are compared at every allowed depth", () => {
    const nested = `${'{"a":'.repeat(63)}{"b": 1, "b": 1}${"}".repeat(63)}`;
    expect(parseExactly(nested).repeated).toBe(`${"a.".repeat(63)}b`);
  });

  it("are reported by a path of at most 200 characters", () => {
    const { repeated } = parseExactly(`{"${"a".repeat(300)}": {"b": 1, "b": 1}}`);
    expect(repeated).toBe(`${"a".repeat(199)}…`);
  });
});

it.each([
  ["64 levels", `${"[".repeat(64)}${"]".repeat(64)}`, false],
  ["65 levels", `${"[".repeat(65)}${"]".repeat(65)}`, true],
  ["65 levels of objects and arrays", `${'{"a":['.repeat(33)}`, true],
  ["millions of brackets", "[".repeat(3_000_000), true],
  ["siblings", `[${"{},".repeat(100)}[]]`, false],
  ["brackets in a string", `["${"[{".repeat(100)}", "\\"${"[".repeat(100)}"]`, false],
  ["a string without an end", `["${"[".repeat(100)}`, false],
])("isTooDeep measures the depth of JSON with %s", (_, text, isDeep) => {
  expect(isTooDeep(text)).toBe(isDeep);
});
