/**
 * Characters that change how a program displays text: control characters, line and paragraph separators, and direction
 * overrides. Joiners and direction marks (U+200E, U+200F, U+061C) are allowed, because some scripts need them.
 */
const controlCharacter = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const controlRuns = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;
const everyControlCharacter = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/** Invisible characters: blanks, joiners, marks, fillers, variation selectors and tags. */
const invisible = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{1d159}]*$/u;

export const isInvisible = (text: string): boolean => invisible.test(text);

/** Control characters other than tabs and line breaks, and code points that are not characters. */
const unprintable = /(?![\t\n\r])\p{Cc}|\p{Noncharacter_Code_Point}/u;

/** Whether the string is printable Unicode. It may have several lines. */
export const isPrintable = (text: string): boolean => text.isWellFormed() && !unprintable.test(text);

/** Whether the string is safe as a single line in a terminal, an e-mail header or a page. */
export const isOneLine = (text: string): boolean => !controlCharacter.test(text);

/** Whether the string is safe as an address, which means that browsers parse it exactly as it is displayed. */
export const isSafeAddress = (text: string): boolean =>
  isPrintable(text) && isOneLine(text) && !/\s/.test(text);

/** Makes a string safe for a header or a single line. */
export const toOneLine = (text: string): string => text.replaceAll(controlRuns, " ").trim();

/** Whether bytes that are not UTF-8 were replaced. Different keys can then look the same. */
export const hasReplacedBytes = (text: string): boolean => text.includes("\uFFFD");

/** Removes trailing slashes. A regular expression would backtrack on a long run of them. */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === "/") end -= 1;
  return text.slice(0, end);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them on purpose.
const lineSeparator = /\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/;

/** Splits a string at every line separator and replaces control characters with spaces. */
export const linesOf = (text: string): string[] =>
  text.split(lineSeparator).map((line) => line.replaceAll(everyControlCharacter, " "));

/** Escapes control characters as JSON and JavaScript do. */
export const escapeControls = (text: string): string =>
  text.replaceAll(everyControlCharacter, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
