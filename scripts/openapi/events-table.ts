import type { WebhookEvent } from "../../src/workspace/events/event.ts";

const head = "| event | category | fires when |\n|---|---|---|\n";

/** The page for receivers with the table of all events in the place of the one that it has. */
export function withEventsTable(page: string, events: Readonly<Record<string, WebhookEvent>>): string {
  const [before, behind] = page.split(head);
  if (behind === undefined) throw new Error("docs/webhooks.md has no table of events");
  const rows = Object.entries(events).map(
    ([name, { category, firesWhen }]) => `| \`${name}\` | ${category} | ${firesWhen} |\n`,
  );
  return `${before}${head}${rows.join("")}${behind.slice(behind.indexOf("\n\n") + 1)}`;
}
