import { describe, expect, it } from "vitest";
import {
  escapeControls,
  isOneLine,
  isSafeAddress,
  linesOf,
  toOneLine,
  withoutTrailingSlashes,
} from "./characters.ts";

const steering = ["\0", "\u0007", "\n", "\r", "\u001b", "\u007f", "\u0085", "\u009b", "\u2028", "\u2029"];
const turning = ["\u202a", "\u202e", "\u2066", "\u2069"];

describe("characters that could control a terminal, an e-mail or a log", () => {
  it.each([...steering, ...turning])("%j is rejected in single-line text and escaped in output", (each) => {
    expect(isOneLine(`a${each}b`)).toBe(false);
    expect(toOneLine(`a${each}b`)).toBe("a b");
    expect(escapeControls(`a${each}b`)).toBe(`a\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}b`);
  });

  it.each(["é", "👩‍💻", "שלום", "می‌خواهم", "(אבג)\u200e!", "\u200fא\u061c", "a b"])(
    "%s is allowed in single-line text",
    (words) => {
      expect([isOneLine(words), toOneLine(words), escapeControls(words)]).toEqual([true, words, words]);
    },
  );

  it.each([...steering, ...turning, " ", "\t", "\u00a0", "\ufeff", "\ufffe", "\ud800"])(
    "%j is not allowed in an address",
    (each) => {
      expect([isSafeAddress(`a${each}b`), isSafeAddress("https://bücher.example/🎨?שלום")]).toEqual([
        false,
        true,
      ]);
    },
  );

  it("linesOf splits at every line separator and removes control characters", () => {
    const parts = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const separators = ["\r\n", "\n", "\r", "\v", "\f", "\u0085", "\u2028"];
    expect(linesOf(parts.map((part, index) => part + (separators[index] ?? "")).join(""))).toEqual(parts);
    expect(linesOf("a\u001b[2Jb\u202ec")).toEqual(["a [2Jb c"]);
  });

  it("escaped JSON still parses to the same value", () => {
    const value = { said: "a\u2028\u202e\u009b\n" };
    expect(JSON.parse(escapeControls(JSON.stringify(value)))).toEqual(value);
  });
});

it.each([
  ["https://app.example.com", "https://app.example.com"],
  ["https://app.example.com//", "https://app.example.com"],
  ["///", ""],
  [`${"/".repeat(100_000)}x`, `${"/".repeat(100_000)}x`],
])("withoutTrailingSlashes removes only trailing slashes", (text, without) => {
  expect(withoutTrailingSlashes(text)).toBe(without);
});
