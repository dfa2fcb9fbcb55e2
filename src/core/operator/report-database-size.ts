import { eq, lt } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { build, changesRow, statement } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { type Query, run } from "../../db/query.ts";
import { type Mail, sendMail } from "../../platform/mail.ts";
import { retry } from "../../platform/timeout.ts";
import { composeMail } from "../mails/compose-mail.ts";
import type { Services } from "../services.ts";
import { sizeNotices } from "./tables.ts";

interface Noticed {
  percent: number;
  /** Null while the notice is leased but not yet sent. */
  mailed_at: string | null;
}

/** How far the size must fall below a threshold before crossing it again e-mails the operator. */
const hysteresisPercent = 5;

/** Returns the size that D1 reports with every response. */
export const databaseBytes = async (db: D1Database): Promise<number> =>
  (await db.prepare("SELECT 1").run()).meta.size_after;

async function readSize(db: D1Database): Promise<{ bytes: number; noticed: Noticed[] }> {
  const { results, meta } = await db.prepare("SELECT percent, mailed_at FROM size_notices").all<Noticed>();
  return { bytes: meta.size_after, noticed: results };
}

/** E-mails the operator each time the database passes one of `databaseNoticePercents`. */
export async function warnOfDatabaseSize(
  services: Pick<Services, "db" | "operatorEmail" | "email" | "mailFrom">,
): Promise<void> {
  const { db, operatorEmail } = services;
  const { bytes, noticed } = await readSize(db);
  const percent = Math.floor((bytes / limits.databaseBytes) * 100);
  for (const each of noticed.filter((one) => percent < one.percent - hysteresisPercent)) {
    await run(db, forget(each.percent));
  }
  if (operatorEmail === "") return;
  const reported = noticed.filter(({ mailed_at }) => mailed_at !== null).map((each) => each.percent);
  const passed = Object.values(limits.databaseNoticePercents).filter((each) => percent >= each);
  for (const due of passed.filter((each) => !reported.includes(each)))
    await mailOperator(services, due, bytes);
}

/**
 * E-mails the operator if this run gets the lease on the notice. If the e-mail fails, the row is deleted and the next
 * cron run tries again.
 */
async function mailOperator(
  services: Pick<Services, "db" | "operatorEmail" | "email" | "mailFrom">,
  percent: number,
  bytes: number,
): Promise<void> {
  const { db, operatorEmail } = services;
  if (!(await run(db, leaseNotice(percent)))) return;
  try {
    await sendMail(services, sizeMail(operatorEmail, percent, bytes));
  } catch (error) {
    await run(db, forget(percent));
    throw error;
  }
  const mailed = build.update(sizeNotices).set({ mailed_at: now });
  await retry(() => run(db, statement(mailed.where(eq(sizeNotices.percent, percent)))));
}

/**
 * A run that holds the lease for longer than this has crashed, so another run sends the notice. The operator may get
 * the notice twice, but always gets it.
 */
const leaseMinutes = 5;

function leaseNotice(percent: number): Query<boolean> {
  const hasDied = lt(sizeNotices.leased_at, nowWith(`-${leaseMinutes} minutes`));
  const leasing = build
    .insert(sizeNotices)
    .values({ percent })
    .onConflictDoUpdate({ target: sizeNotices.percent, set: { leased_at: now }, setWhere: hasDied });
  return changesRow(leasing.returning({ percent: sizeNotices.percent }));
}

const forget = (percent: number): Query<void> =>
  statement(build.delete(sizeNotices).where(eq(sizeNotices.percent, percent)));

const whenFull = "When the database is full, every write in every workspace fails.";

const sizeMail = (to: string, percent: number, bytes: number): Mail => ({
  fromName: null,
  to,
  ...composeMail(`The database is past ${percent} %`, {
    from: null,
    preheader: whenFull,
    heading: `The database is past ${percent} %`,
    parts: [
      { paragraph: `It uses ${bytes} of the ${limits.databaseBytes} bytes that D1 allows.` },
      { paragraph: whenFull },
    ],
    notes: ["docs/runbooks.md (the database is filling up) says what to do."],
    reason: "You received this e-mail as the operator (OPERATOR_EMAIL).",
  }),
});
