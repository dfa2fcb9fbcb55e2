import { eq } from "drizzle-orm";
import { html } from "hono/html";
import { limits } from "../contract/limits.ts";
import { build, changesRow, statement } from "../db/build.ts";
import { run } from "../db/query.ts";
import { sizeNotices } from "../db/schema/workspace.ts";
import { logLine } from "../platform/log.ts";
import { type Mail, sendMail } from "../platform/mail.ts";

interface SizeServices {
  db: D1Database;
  email: SendEmail;
  mailFrom: string;
  /** Who runs the service; empty: nobody is mailed. */
  operatorEmail: string;
}

/** A share that fell this far below its threshold is told again when it comes back. */
const hysteresisPercent = 5;

/** Logs the size that D1 itself tells, every minute, and mails the operator once past each share of what D1 takes. */
export async function reportDatabaseSize(services: SizeServices): Promise<void> {
  const { db, operatorEmail } = services;
  const { results, meta } = await db.prepare("SELECT percent FROM size_notices").all<{ percent: number }>();
  const bytes = meta.size_after;
  const percent = Math.floor((bytes / limits.databaseBytes) * 100);
  logLine({ database_bytes: bytes, database_percent: percent });
  const told = results.map((row) => row.percent);
  for (const mailed of told.filter((each) => percent < each - hysteresisPercent)) {
    await run(db, statement(build.delete(sizeNotices).where(eq(sizeNotices.percent, mailed))));
  }
  if (operatorEmail === "") return;
  const passed = Object.values(limits.databaseNoticePercents).filter((each) => percent >= each);
  for (const due of passed.filter((each) => !told.includes(each))) await mailOperator(services, due, bytes);
}

/** Whoever writes the row mails; if the mail fails, the row goes and the next minute tries again. */
async function mailOperator(services: SizeServices, percent: number, bytes: number): Promise<void> {
  const { db, email, mailFrom, operatorEmail } = services;
  const insert = build.insert(sizeNotices).values({ percent }).onConflictDoNothing();
  if (!(await run(db, changesRow(insert.returning({ percent: sizeNotices.percent }))))) return;
  try {
    await sendMail(email, mailFrom, sizeMail(operatorEmail, percent, bytes));
  } catch (error) {
    await run(db, statement(build.delete(sizeNotices).where(eq(sizeNotices.percent, percent))));
    throw error;
  }
}

function sizeMail(to: string, percent: number, bytes: number): Mail {
  const lines = [
    `The database is past ${percent} % of what D1 takes: ${bytes} of ${limits.databaseBytes} bytes.`,
    "Past the whole every write fails, of all workspaces.",
    "docs/operations.md (the database is filling up) says what to do.",
  ];
  return {
    fromName: "Partner API",
    to,
    subject: `The database is past ${percent} %`,
    text: lines.join("\n"),
    html: String(html`<p>${lines.map((line) => html`${line}<br>`)}</p>`),
  };
}
