import { andList, retryWords } from "../../src/contract/retry-words.ts";
import type { WebhookEvent } from "../../src/core/events/event.ts";

/** The texts of hand-written pages that are derived from the code. */

const head = /\| event \| category \| .*\n\|---\|---\|---\|\n/;

/** A documentation page with its event table replaced by the current one. */
export function withEventsTable(page: string, events: Readonly<Record<string, WebhookEvent>>): string {
  const [found] = head.exec(page) ?? [];
  if (found === undefined) throw new Error("The page has no table of events");
  const [before, behind = ""] = page.split(found);
  const rows = Object.entries(events).map(
    ([name, { category, firesWhen }]) => `| \`${name}\` | ${category} | ${firesWhen} |\n`,
  );
  return `${before}${found}${rows.join("")}${behind.slice(behind.indexOf("\n\n") + 1)}`;
}

const { delays, retries, attempts, span } = retryWords;
const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

/** What a page says about the retry schedule: where, and in which words. A line break counts as a blank. */
const retryTexts: readonly (readonly [place: RegExp, text: string])[] = [
  [/(?<=before the next )\w+ are [^.]*?(?=, each)/, `${retries} are ${andList(delays)}`],
  [/(?<=After attempt )\d+(?=\s)/, String(delays.length + 1)],
  [/(?<=after up to )[^|]*(?= \|)/, delays.join(", ")],
  [/\w+ attempts in all, over about \d+ hours/, `${capital(attempts)} attempts in all, over about ${span}`],
];

/** A page with the current retry schedule; the lines of a changed paragraph may need to be wrapped again. */
export const withRetrySchedule = (page: string): string =>
  retryTexts.reduce(
    (text, [place, words]) =>
      text.replace(place, (found) => (found.replaceAll("\n", " ") === words ? found : words)),
    page,
  );
