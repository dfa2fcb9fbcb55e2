import { fieldName } from "../contract/describe-issue.ts";
import { limits } from "../contract/limits.ts";

/** The path of the first field whose value would be changed by parsing. */
interface Loss {
  /** The number in this field would be rounded: 12345678901234567890 would become 12345678901234567000. */
  inexact?: string;
  /** The field is repeated, so only the last value would be kept. Reported only if every number is exact. */
  repeated?: string;
}

/** Parses JSON and reports such fields. With `fields`, checks only these top-level fields. */
export function parseExactly(text: string, fields?: readonly string[]): { value: unknown } & Loss {
  const value: unknown = JSON.parse(text);
  return { value, ...findLoss(text, (path) => !fields || fields.includes(String(path[0]))) };
}

type Path = (string | number)[];

/** Whether objects and arrays are nested deeper than any schema accepts. Also works on invalid JSON. */
export function isTooDeep(text: string): boolean {
  let level = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at += Math.max(stringAt(text, at).length, 1) - 1;
    else if (character === "{" || character === "[") level += 1;
    else if (character === "}" || character === "]") level -= 1;
    if (level > limits.jsonLevels) return true;
  }
  return false;
}

/** Scans valid JSON once. A reviver would cost twice as much and would not see repeated names. */
function findLoss(text: string, isChecked: (path: Path) => boolean): Loss {
  // For each open object and array: the current position in it, and its names so far.
  const path: Path = [];
  const names: Set<string>[] = [];
  const currentField = () => fieldName(path) || "body";
  let string = "";
  let repeated: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const innermost = path.length - 1;
    if (character === '"') {
      string = stringAt(text, at);
      at += string.length - 1;
    } else if (character === ":") {
      const name = nameOf(string);
      path[innermost] = name;
      if (names[innermost]?.has(name) && isChecked(path)) repeated ??= currentField();
      names[innermost]?.add(name);
    } else if (character === "{" || character === "[") {
      names.push(new Set());
      path.push(0);
    } else if (character === "}" || character === "]") {
      names.pop();
      path.pop();
    } else if (character === ",") {
      // In an object, the next name replaces this index.
      path[innermost] = Number(path[innermost]) + 1;
    } else if (character >= "0" && character <= "9") {
      // The sign does not affect exactness.
      const number = numberAt(text, at);
      if (!isExact(number) && isChecked(path)) return { inexact: currentField() };
      at += number.length - 1;
    }
  }
  return repeated === undefined ? {} : { repeated };
}

/** Returns the string that begins here, including its quotes. */
function stringAt(text: string, start: number): string {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return text.slice(start, end < 0 ? text.length : end + 1);
}

/** Whether an odd number of backslashes precedes a quote; two of them are one literal backslash. */
function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text[first - 1] === "\\") first -= 1;
  return (quote - first) % 2 === 1;
}

const nameOf = (string: string): string => (string.includes("\\") ? JSON.parse(string) : string.slice(1, -1));

function numberAt(text: string, start: number): string {
  const number = /[\d.eE+-]+/y;
  number.lastIndex = start;
  return number.exec(text)?.[0] ?? "";
}

/** Whether a number in its shortest form has the same value as its source text. */
function isExact(source: string): boolean {
  const value = Number(source);
  const written = String(value);
  return written === source || (Number.isFinite(value) && decimalOf(written) === decimalOf(source));
}

/**
 * Returns a canonical form of a decimal number: its digits without leading and trailing zeros, and the last digit's
 * power of ten.
 */
function decimalOf(text: string): string {
  const [, whole = "", fraction = "", exponent = "0"] =
    /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  if (end === 0) return "0";
  return `${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
