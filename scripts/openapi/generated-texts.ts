import { deliveryAttempts, joinWithAnd, retrySchedule } from "../../src/contract/retry-schedule.ts";
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

/** Where each page describes the retry schedule, with the current wording. */
const retryTexts: Readonly<Record<string, readonly (readonly [place: RegExp, words: string])[]>> = {
  "docs/contract.md": [
    [/(?<=before the next )\w+ are [^.]*?(?=, each)/, `${retries} are ${joinWithAnd(delays)}`],
    [/(?<=After attempt )\d+(?=, the delivery is dead)/, String(deliveryAttempts)],
  ],
  "docs/webhooks.md": [
    [/(?<=retry after up to )[^|]*(?= \|)/, delays.join(", ")],
    [/(?<=at most )\w+ attempts, over about \d+ hours/, `${attempts} attempts, over about ${span}`],
  ],
  "docs/runbooks.md": [[/(?<=retries continue for about )\d+ hours/, span]],
};

export const pagesWithRetrySchedule = Object.keys(retryTexts);

/** Updates a page's retry schedule, and wraps the changed paragraphs. */
export const withRetrySchedule = (file: string, page: string): string =>
  (retryTexts[file] ?? []).reduce((text, [place, words]) => {
    let isFound = false;
    const paragraphs = text.split("\n\n").map((paragraph) => {
      const isTable = paragraph.startsWith("|");
      const line = isTable ? paragraph : paragraph.replaceAll("\n", " ");
      if (!place.test(line)) return paragraph;
      isFound = true;
      const changed = line.replace(place, words);
      if (changed === line) return paragraph;
      return isTable ? changed : wrap(changed);
    });
    if (!isFound) throw new Error(`${file} has no text that matches ${place}`);
    return paragraphs.join("\n\n");
  }, page);

const wrap = (line: string): string => line.replace(/(.{1,120})(?: |$)/g, "$1\n").trimEnd();
