import * as z from "zod";
import { Refusal } from "../../contract/refusal.ts";
import { AuditEntry } from "../../core/audit-log/record.ts";
import { phraseText } from "./actions.ts";
import { describeEntry, type Names, namesFor } from "./activity-names.ts";
import { type C, operate } from "./page-context.ts";
import { refusedPage } from "./responses.tsx";
import { beginExport, type RunningExport } from "./run-export.ts";
import { pick } from "./search.ts";

/** The maximum number of entries in one file. A longer spreadsheet is of little use. */
const exportLimits = { entries: 10_000, page: 1_000 };

/** First the columns as worded on the page, then those that a program can match. */
const columns = [
  "created_at",
  "person",
  "token",
  "activity",
  "changes",
  "actor",
  "operator",
  "action",
  "subject_id",
] as const;

/** Quotes a cell as in RFC 4180. An apostrophe prevents spreadsheets from treating the text as a formula. */
const cell = (value: string | null): string => {
  const text = value ?? "";
  return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
};

function lineOf(entry: AuditEntry, names: Names): string {
  const { person, token, phrase, edits } = describeEntry(entry, names);
  const changes = edits.map(
    ({ field, before, value }) => `${field}: ${before ? `${before} → ` : ""}${value}`,
  );
  const row = { ...entry, person, token, activity: phraseText(phrase), changes: changes.join("; ") };
  return `${columns.map((name) => cell(row[name])).join(",")}\r\n`;
}

/** Exports the entries on the page and all older ones as CSV. */
export async function exportActivity(c: C): Promise<Response> {
  const running = await beginExport(c);
  if (running instanceof Refusal) return refusedPage(c, running);
  try {
    return await activityFile(c, running);
  } finally {
    await running.end();
  }
}

async function activityFile(c: C, running: RunningExport): Promise<Response> {
  const search = pick(c.req.query(), ["token", "person", "action", "since", "until"]);
  const lines = new Map<string, string>();
  for (let until = search.until; lines.size < exportLimits.entries; ) {
    await running.beginStep();
    const fields = { ...search, ...(until && { until }), limit: exportLimits.page };
    const found = await operate(c, "audit-log", z.array(AuditEntry), fields);
    if (found instanceof Refusal) {
      // A search that ended early returns where to continue.
      until = /^until=(.+)/.exec(found.hint ?? "")?.[1];
      if (!until) return refusedPage(c, found);
      continue;
    }
    const before = lines.size;
    const names = await namesFor(c, found);
    for (const entry of found) lines.set(entry.id, lineOf(entry, names));
    const last = found.at(-1);
    if (!last || lines.size === before) break;
    // Other entries from the same millisecond may be missing.
    until = new Date(Date.parse(last.created_at) + 1).toISOString();
  }
  const shown = [...lines.values()].slice(0, exportLimits.entries);
  const name = `${c.get("workspace").slug}-activity.csv`;
  return new Response(`${columns.join(",")}\r\n${shown.join("")}`, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
    },
  });
}
