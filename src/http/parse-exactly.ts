/** The reviver's third argument (ECMAScript 2026), which the types do not know yet. */
type Reviver = (this: unknown, name: string, value: unknown, context?: { source?: string }) => unknown;

/**
 * JSON whose numbers are all kept as they are written: `inexact` names the first field whose number is not, such as
 * 12345678901234567890, of which 12345678901234567000 would be kept.
 */
export function parseExactly(text: string): { value: unknown; inexact?: string } {
  let found: { holder: unknown; path: string[] } | undefined;
  // A holder is revived after all it holds, so the path grows from its end.
  const revive: Reviver = function (name, value, context) {
    if (found && found.holder === value) {
      found = { holder: this, path: [name, ...found.path] };
    } else if (!found && typeof value === "number" && !isExact(value, context?.source ?? "")) {
      found = { holder: this, path: [name] };
    }
    return value;
  };
  const value = parse(text, revive);
  // The outermost holder is JSON.parse's own; its one name is empty.
  return found ? { value, inexact: found.path.slice(1).join(".") || "body" } : { value };
}

/** A reviver has a stack: what is nested deeper than it goes is parsed without, and refused by its schema. */
function parse(text: string, revive: Reviver): unknown {
  try {
    return JSON.parse(text, revive);
  } catch (error) {
    if (error instanceof RangeError) return JSON.parse(text);
    throw error;
  }
}

/** Whether a number, written in its shortest form, has the value of the text that it was read from. */
function isExact(value: number, source: string): boolean {
  const written = String(value);
  return written === source || (Number.isFinite(value) && decimalOf(written) === decimalOf(source));
}

/**
 * One text for all ways to write a decimal number: its digits without outer zeros, and the power of ten of the last.
 */
function decimalOf(text: string): string {
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  if (end === 0) return "0";
  return `${sign}${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
