import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { mailLeaseMinutes } from "../../contract/mail-leases.ts";
import { build, type RowOf, rows, rowsOf, statement } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { batch, run } from "../../db/query.ts";
import { byTurn } from "../../db/round-robin.ts";
import { type Mail, sendMail } from "../../platform/mail.ts";
import { retry } from "../../platform/timeout.ts";
import { accentOf } from "../../workspace/brands/tables.ts";
import { organizations } from "../../workspace/organizations/tables.ts";
import type { Services } from "../services.ts";
import { composeMail, dayText } from "./compose-mail.ts";
import { countNotice } from "./mails.ts";
import { saveMemberMail } from "./member-mails.ts";
import { mailCounts as table } from "./tables.ts";

type DigestServices = Pick<Services, "db" | "email" | "mailFrom" | "applicationUrl">;

const digestsPerMinute = 50;

const isFree = or(isNull(table.digest_leased_until), lte(table.digest_leased_until, now));

const isHeld = sql`${table.held_notices} > 0 AND ${table.day} < date('now')`;

/**
 * Finds past days with held-back notices: first each workspace's oldest day, then each workspace's second oldest day,
 * and so on. The cross join makes SQLite read the index mail_counts_held first.
 */
const findDue = () =>
  rowsOf(
    build
      .select({ day: table.day, address: table.address })
      .from(table)
      .crossJoin(organizations)
      .where(and(eq(organizations.id, table.organization_id), isHeld, isFree))
      .orderBy(byTurn(table.organization_id, table.day))
      .limit(digestsPerMinute),
  );
type Due = ReturnType<ReturnType<typeof findDue>["read"]>[number];

const held = {
  organization_id: table.organization_id,
  held_notices: table.held_notices,
  workspace: sql<string>`(SELECT ${organizations.name} FROM ${organizations}
    WHERE ${organizations.id} = ${table.organization_id})`.as("workspace"),
  accent: accentOf(table.organization_id).as("accent"),
};
type Held = RowOf<typeof held>;

const ofAddress = sql`UPDATE ${table} INDEXED BY mail_counts_of_addresses`;

/** `<> ''` lets SQLite use the partial index. */
const isOf = ({ day, address }: Due) =>
  and(
    eq(table.day, day),
    eq(table.address, address),
    sql`${table.address} <> '' AND ${table.held_notices} > 0`,
  );

/**
 * When a day is over, sends each address a digest with the number of notices that each workspace held back. A failed
 * digest does not delay the others.
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
  const lease = sql`${ofAddress} SET digest_leased_until = ${nowWith(`+${mailLeaseMinutes.digest} minutes`)} WHERE ${and(isOf(due), isFree)}
    RETURNING organization_id, held_notices, ${held.workspace.sql} AS workspace, ${held.accent.sql} AS accent`;
  const ofWorkspaces = await run(db, rows(held, lease));
  const [first] = ofWorkspaces;
  if (!first) return;
  const messageId = await sendMail(services, digestMail(due, ofWorkspaces, applicationUrl));
  const sent = sql`${ofAddress} SET held_notices = 0, digest_leased_until = NULL WHERE ${isOf(due)}`;
  await retry(() => run(db, statement(sent)));
  await batch(db, [
    countNotice(first.organization_id, due.address),
    ...ofWorkspaces.map((each) => saveMemberMail(each.organization_id, due.address, messageId)),
  ]);
}

const moreText = (count: number): string => `${count} more ${count === 1 ? "notification" : "notifications"}`;

function digestMail({ day, address }: Due, ofWorkspaces: readonly Held[], applicationUrl: string): Mail {
  const [only, another] = ofWorkspaces;
  const one = another ? undefined : only;
  const more = moreText(ofWorkspaces.reduce((sum, { held_notices }) => sum + held_notices, 0));
  const names = ofWorkspaces.map(({ workspace }) => workspace).join(", ");
  return {
    fromName: null,
    to: address,
    ...composeMail(`${more} in ${one?.workspace ?? "your workspaces"}`, {
      from: one?.workspace ?? null,
      accent: one?.accent ?? null,
      preheader: `On ${dayText(day)} there were more notifications than we send one by one.`,
      heading: `${more} on ${dayText(day)}`,
      parts: [
        {
          paragraph:
            `We send at most ${limits.noticesToAddressPerDay} notifications a day. The others were held back. They are ` +
            "about comments and change requests in reviews, bounced e-mails or failing webhook endpoints.",
        },
        ...(one
          ? []
          : ofWorkspaces.map(({ workspace, held_notices }) => ({
              paragraph: `${workspace}: ${held_notices}`,
            }))),
        {
          paragraph:
            "Nothing is lost. The comments are on your review pages, and the endpoints are in the settings.",
        },
      ],
      button: { text: "Open the settings", url: `${applicationUrl}/settings` },
      reason:
        `You received this e-mail as the owner of the ${one ? "workspace" : "workspaces"} ${names}. ` +
        "Days are counted in UTC.",
    }),
  };
}
