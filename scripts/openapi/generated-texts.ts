import { joinWithAnd, retrySchedule } from "../../src/contract/retry-schedule.ts";
import type { WebhookEvent } from "../../src/core/events/event.ts";

/** Updates the parts of hand-written pages that are derived from the code. */

const head = /\| event \| category \| .*\n\|---\|---\|---\|\n/;

/** Replaces a page's event table with the current one. */
export function withEventsTable(page: string, events: Readonly<Record<string, WebhookEvent>>): string {
  const [found] = head.exec(page) ?? [];
  if (found === undefined) throw new Error("The page has no table of events");
  const [before, behind = ""] = page.split(found);
  const rows = Object.entries(events).map(
    ([name, { category, firesWhen }]) => `| \`${name}\` | ${category} | ${firesWhen} |\n`,
  );
  return `${before}${found}${rows.join("")}${behind.slice(behind.indexOf("\n\n") + 1)}`;
}

const { delays, retries, attempts, span } = retrySchedule;
const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Where a page describes the retry schedule, and the text that belongs there. */
const retryTexts: readonly (readonly [place: RegExp, text: string])[] = [
  [/(?<=before the next )\w+ are [^.]*?(?=, each)/, `${retries} are ${joinWithAnd(delays)}`],
  [/(?<=After attempt )\d+(?=\s)/, String(delays.length + 1)],
  [/(?<=after up to )[^|]*(?= \|)/, delays.join(", ")],
  [/\w+ attempts in all, over about \d+ hours/, `${capital(attempts)} attempts in all, over about ${span}`],
];

/** Updates a page's retry schedule. The lines of a changed paragraph may need to be wrapped again. */
export const withRetrySchedule = (page: string): string =>
  retryTexts.reduce(
    (text, [place, words]) =>
      text.replace(place, (found) => (found.replaceAll("\n", " ") === words ? found : words)),
    page,
  );
