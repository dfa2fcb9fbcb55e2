import { joinWithAnd, retrySchedule } from "../../src/contract/retry-schedule.ts";
import type { WebhookEvent } from "../../src/core/events/event.ts";

/** Updates the generated parts of hand-written pages. */

const head = /\| event \| category \| .*\n\|---\|---\|---\|\n/;

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

/** Where the pages describe the retry schedule, with the current wording. */
const retryTexts: readonly (readonly [place: RegExp, text: string])[] = [
  [/(?<=before the next )\w+ are [^.]*?(?=, each)/, `${retries} are ${joinWithAnd(delays)}`],
  [/(?<=After attempt )\d+(?=\s)/, String(delays.length + 1)],
  [/(?<=after up to )[^|]*(?= \|)/, delays.join(", ")],
  [/\w+ attempts in all, over about \d+ hours/, `${capital(attempts)} attempts in all, over about ${span}`],
];

/** Updates a page's retry schedule. Changed paragraphs may need rewrapping. */
export const withRetrySchedule = (page: string): string =>
  retryTexts.reduce(
    (text, [place, words]) =>
      text.replace(place, (found) => (found.replaceAll("\n", " ") === words ? found : words)),
    page,
  );
