/**
 * Characters that steer what shows a text instead of being shown: control characters, separators of lines and
 * paragraphs, and what turns the direction of writing. Others that are not seen (a joiner inside an emoji) are part
 * of words.
 */
const steering = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/u;
const steeringRuns = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]+/gu;
const eachSteering = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu;

/** Whether a text is safe as one line of a terminal, a mail's header or a page. */
export const isOneLine = (text: string): boolean => !steering.test(text);

/** Text for a header or a line of its own: nothing can end it or turn it around. */
export const oneLine = (text: string): string => text.replaceAll(steeringRuns, " ").trim();

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const lineSeparator = /\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/;

/** The lines of a text, whichever separator parts them, with nothing in them that steers what shows them. */
export const linesOf = (text: string): string[] =>
  text.split(lineSeparator).map((line) => line.replaceAll(eachSteering, " "));

/** The same text with what steers a terminal or a log made visible, as JSON and JavaScript write it. */
export const visible = (text: string): string =>
  text.replaceAll(eachSteering, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
