/**
 * Control characters in the wider sense affect the program that shows a text: control characters proper, line
 * and paragraph separators, and those that override the text direction. Joiners and right-to-left marks
 * (U+200E, U+200F, U+061C) are part of words; they only place the adjacent punctuation.
 */
const steering = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const steeringRuns = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;
const eachSteering = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/** Invisible characters: blanks, joiners, marks, fillers, variation selectors and tags. */
const unseen = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{1d159}]*$/u;

/** Whether a text looks empty: it is empty, or has no visible character. */
export const showsNothing = (text: string): boolean => unseen.test(text);

/** Control characters other than tabs and line breaks, and code points that are not characters. */
const unprintable = /(?![\t\n\r])\p{Cc}|\p{Noncharacter_Code_Point}/u;

/** Whether a text is printable Unicode, on any number of lines. */
export const isPrintable = (text: string): boolean => text.isWellFormed() && !unprintable.test(text);

/** Whether a text is safe as one line of a terminal, an e-mail header or a page. */
export const isOneLine = (text: string): boolean => !steering.test(text);

/** Whether a text is safe as an address: the browser reads it exactly as it is displayed. */
export const isOneWord = (text: string): boolean => isPrintable(text) && isOneLine(text) && !/\s/.test(text);

/** Makes a text safe for a header or a single line: removes what would end the line or override its direction. */
export const oneLine = (text: string): string => text.replaceAll(steeringRuns, " ").trim();

/** A text without trailing slashes. A regular expression would backtrack on a long run of slashes. */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === "/") end -= 1;
  return text.slice(0, end);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them on purpose.
const lineSeparator = /\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/;

/** The lines of a text, split at every line separator, without control characters. */
export const linesOf = (text: string): string[] =>
  text.split(lineSeparator).map((line) => line.replaceAll(eachSteering, " "));

/** The same text with its control characters escaped as in JSON and JavaScript. */
export const visible = (text: string): string =>
  text.replaceAll(eachSteering, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
