import { describe, expect, it } from "vitest";
import { parseExactly } from "./parse-exactly.ts";

describe("the numbers of a JSON text", () => {
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
  ])("%s is kept as it is written", (text) => {
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
  ])("%s is told", (text) => {
    expect(parseExactly(`{"amount": ${text}}`).inexact).toBe("amount");
  });

  it("names the first one by its path", () => {
    const text = '{"a": [1, {"b": {"": 1e400, "c": 1e400}}], "d": 1e400}';
    expect(parseExactly(text).inexact).toBe("a.1.b.");
    expect(parseExactly("1e400").inexact).toBe("body");
  });

  it("takes a very long number in no time that grows with its square", () => {
    const text = `1${"0".repeat(1_000_000)}1`;
    expect(parseExactly(`[${text}]`).inexact).toBe("0");
  });
});
