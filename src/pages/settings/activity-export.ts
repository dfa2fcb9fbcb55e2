import * as z from "zod";
import { Refusal } from "../../contract/refusal.ts";
import { AuditEntry } from "../../core/audit-log/record.ts";
import { refusedPage } from "./answers.tsx";
import { type C, operate } from "./page-context.ts";
import { beginExport, type RunningExport } from "./run-export.ts";
import { only } from "./search.ts";

/** The entries of one file; a longer spreadsheet is of little use. */
const exportLimits = { entries: 10_000, page: 1_000 };

const columns = [
  "created_at",
  "actor",
  "operator",
  "api_token_id",
  "action",
  "subject_id",
  "details",
] as const;

/** A cell as RFC 4180 quotes it. An apostrophe precedes what a spreadsheet would take for a formula. */
const cell = (value: unknown): string => {
  const text = value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
};

const lineOf = (entry: AuditEntry) => `${columns.map((name) => cell(entry[name])).join(",")}\r\n`;

/** The entries that the page shows, and all older ones, as CSV. */
export async function exportActivity(c: C): Promise<Response> {
  const running = await beginExport(c);
  if (running instanceof Refusal) return refusedPage(c, "audit-log", running);
  try {
    return await activityFile(c, running);
  } finally {
    await running.end();
  }
}

async function activityFile(c: C, running: RunningExport): Promise<Response> {
  const search = only(c.req.query(), ["token", "person", "action", "since", "until"]);
  const entries = new Map<string, AuditEntry>();
  for (let until = search.until; entries.size < exportLimits.entries; ) {
    await running.beginStep();
    const fields = { ...search, ...(until && { until }), limit: exportLimits.page };
    const found = await operate(c, "audit-log", z.array(AuditEntry), fields);
    if (found instanceof Refusal) {
      // A search that ended early says where to continue.
      until = /^until=(.+)/.exec(found.hint ?? "")?.[1];
      if (!until) return refusedPage(c, "audit-log", found);
      continue;
    }
    const before = entries.size;
    for (const entry of found) entries.set(entry.id, entry);
    const last = found.at(-1);
    if (!last || entries.size === before) break;
    // Other entries of the same millisecond may be missing.
    until = new Date(Date.parse(last.created_at) + 1).toISOString();
  }
  const lines = [...entries.values()].slice(0, exportLimits.entries).map(lineOf);
  const name = `${c.get("workspace").slug}-activity.csv`;
  return new Response(`${columns.join(",")}\r\n${lines.join("")}`, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
    },
  });
}
