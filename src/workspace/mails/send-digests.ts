import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { build, changesRow, named, rowsOf, statement } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { byTurn } from "../../db/in-turns.ts";
import { run } from "../../db/query.ts";
import { type Mail, sendMail } from "../../platform/mail.ts";
import { inTries } from "../../platform/time-limit.ts";
import { accentOf } from "../brands/read-brand.ts";
import { dayText, letter } from "../letter.ts";
import { organizations } from "../organizations/tables.ts";
import type { Services } from "../services.ts";
import { countNotice } from "./mails.ts";
import { mailCounts as table } from "./tables.ts";

type DigestServices = Pick<Services, "db" | "email" | "mailFrom" | "applicationUrl">;

const digestsPerMinute = 50;

/** A digest that fails is tried again after this time, until its count is forgotten. */
const leaseMinutes = 30;

const isFree = or(isNull(table.digest_leased_until), lte(table.digest_leased_until, now));

const isHeld = sql`${table.held_notices} > 0 AND ${table.day} < date('now')`;

/**
 * Whose notices of days that have ended were held back: the oldest of every workspace, then the second of each. The
 * cross join makes SQLite read mail_counts_held first.
 */
const findDue = () =>
  rowsOf(
    build
      .select({
        day: table.day,
        organization_id: table.organization_id,
        address: table.address,
        held_notices: table.held_notices,
        workspace: named(organizations.name, "workspace"),
        accent: accentOf(table.organization_id).as("accent"),
      })
      .from(table)
      .crossJoin(organizations)
      .where(and(eq(organizations.id, table.organization_id), isHeld, isFree))
      .orderBy(byTurn(table.organization_id, table.day))
      .limit(digestsPerMinute),
  );
type Due = ReturnType<ReturnType<typeof findDue>["read"]>[number];

const isOf = ({ day, organization_id, address }: Due) =>
  and(eq(table.day, day), eq(table.organization_id, organization_id), eq(table.address, address));

/**
 * Mails each address, once the day has ended, how many notices were held back that day. A digest that fails holds up no
 * other.
 */
export async function sendDigests(services: DigestServices): Promise<void> {
  const failures: unknown[] = [];
  for (const due of await run(services.db, findDue())) {
    try {
      await sendDigest(services, due);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} digests were not sent`);
}

async function sendDigest(services: DigestServices, due: Due): Promise<void> {
  const { db, applicationUrl } = services;
  const lease = build
    .update(table)
    .set({ digest_leased_until: nowWith(`+${leaseMinutes} minutes`) })
    .where(and(isOf(due), isFree))
    .returning({ day: table.day });
  if (!(await run(db, changesRow(lease)))) return;
  await sendMail(services, digestMail(due, applicationUrl));
  const sent = build.update(table).set({ held_notices: 0, digest_leased_until: null }).where(isOf(due));
  await inTries(() => run(db, statement(sent)));
  await run(db, countNotice(due.organization_id, due.address));
}

function digestMail({ day, address, held_notices, workspace, accent }: Due, applicationUrl: string): Mail {
  const more = `${held_notices} more ${held_notices === 1 ? "notification" : "notifications"}`;
  return {
    fromName: "Client review",
    to: address,
    ...letter(`${more} in ${workspace}`, {
      from: workspace,
      accent,
      preheader: `On ${dayText(day)} there were more than we e-mail one by one.`,
      heading: `${more} on ${dayText(day)}`,
      parts: [
        {
          paragraph:
            `We e-mail at most ${limits.noticesToAddressPerDay} a day. These were held back: comments and requests ` +
            "for changes in reviews, or failing webhook endpoints.",
        },
        {
          paragraph:
            "Nothing is lost: the comments are on the pages of your reviews, and the endpoints in the settings.",
        },
      ],
      button: { text: "Open the settings", url: `${applicationUrl}/settings` },
      reason: `You get this mail as the owner of the workspace ${workspace}. Days are counted in UTC.`,
    }),
  };
}
