import type { WebhookEvent } from "../../src/workspace/events/event.ts";

const head = /\| event \| category \| .*\n\|---\|---\|---\|\n/;

/** A page of the documentation with the table of all events in the place of the one that it has. */
export function withEventsTable(page: string, events: Readonly<Record<string, WebhookEvent>>): string {
  const [found] = head.exec(page) ?? [];
  if (found === undefined) throw new Error("The page has no table of events");
  const [before, behind = ""] = page.split(found);
  const rows = Object.entries(events).map(
    ([name, { category, firesWhen }]) => `| \`${name}\` | ${category} | ${firesWhen} |\n`,
  );
  return `${before}${found}${rows.join("")}${behind.slice(behind.indexOf("\n\n") + 1)}`;
}
