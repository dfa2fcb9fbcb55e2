import { and, eq, sql } from "drizzle-orm";
import { dayMs } from "../../contract/durations.ts";
import { mailLeaseMinutes } from "../../contract/mail-leases.ts";
import { composeMail, momentText } from "../../core/mails/compose-mail.ts";
import { mailNotice } from "../../core/mails/mail-notice.ts";
import { saveMemberMail } from "../../core/mails/member-mails.ts";
import type { Services } from "../../core/services.ts";
import { build, changesRow, named, type RowOf, rows, statement } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { batch, noQuery, type Query, run } from "../../db/query.ts";
import { byTurn } from "../../db/round-robin.ts";
import type { Mail, Mailer } from "../../platform/mail.ts";
import { retry } from "../../platform/timeout.ts";
import { accentOf } from "../brands/tables.ts";
import { firstOwnerEmail, presentEmail } from "../members/members.ts";
import { organizations } from "../organizations/tables.ts";
import { apiTokens as tokens } from "./tables.ts";

/** Days before a token's expiry at which its creator and the workspace's owner are e-mailed (contract A19). */
const [firstDays, lastDays] = [14, 3];

/** `warnings_sent` counts the warnings: to the creator and the owner 14 days ahead, and to both 3 days ahead. */
const firstWarnings = 2;
export const allWarnings = 4;

/** Returns the number of warnings to skip, because the token's whole lifetime is shorter than their lead time. */
export const warningsBefore = (livesDays: number | null): number =>
  livesDays === null || livesDays > firstDays ? 0 : livesDays > lastDays ? firstWarnings : allWarnings;

const warningsPerMinute = 50;

/** The number of warnings that should have been sent by now. */
const due = sql<number>`iif(${tokens.expires_at} <= ${nowWith(`+${lastDays} days`)}, ${allWarnings}, ${firstWarnings})`;

const isFree = sql`coalesce(${tokens.warning_leased_until} <= ${now}, true)`;

/** When the next warning is due, written as in the index api_tokens_to_warn so that SQLite uses it. */
const nextDueAt = sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${tokens.expires_at},
  iif(${tokens.warnings_sent} < ${sql.raw(`${firstWarnings}, '-${firstDays} days', '-${lastDays} days'`)}))`;

const needsWarning = and(
  sql`${tokens.expires_at} IS NOT NULL AND ${tokens.revoked_at} IS NULL`,
  sql`${tokens.warnings_sent} < ${sql.raw(String(allWarnings))}`,
  // The lower bound lets the index skip tokens that expired before a warning was sent.
  sql`${nextDueAt} > ${nowWith(`-${firstDays} days`)} AND ${nextDueAt} <= ${now} AND ${tokens.expires_at} > ${now}`,
  isFree,
);

const selection = {
  id: tokens.id,
  organization_id: tokens.organization_id,
  name: named(tokens.name, "name"),
  token_prefix: tokens.token_prefix,
  expires_at: sql<string>`${tokens.expires_at}`.as("expires_at"),
  warnings_sent: tokens.warnings_sent,
  due: due.as("due"),
  workspace: named(organizations.name, "workspace"),
  slug: organizations.slug,
  accent: accentOf(tokens.organization_id).as("accent"),
  creator: presentEmail(tokens.created_by).as("creator"),
  owner: firstOwnerEmail(tokens.organization_id).as("owner"),
};
type Expiring = RowOf<typeof selection>;

/** Finds each organization's next token to expire, then each one's second. */
const findExpiring = () =>
  rows(
    selection,
    build
      .select(selection)
      .from(tokens)
      .crossJoin(organizations)
      .where(and(eq(organizations.id, tokens.organization_id), needsWarning))
      .orderBy(byTurn(tokens.organization_id, tokens.expires_at))
      .limit(warningsPerMinute),
  );

/** Warns about tokens that expire soon. A failed e-mail does not delay the others. */
export async function warnOfExpiringTokens(services: Pick<Services, "db" | keyof Mailer>): Promise<void> {
  const failures: unknown[] = [];
  for (const token of await run(services.db, findExpiring())) {
    try {
      await warnOf(services, token);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} warnings were not sent`);
}

async function warnOf(services: Pick<Services, "db" | keyof Mailer>, token: Expiring): Promise<void> {
  const { db, applicationUrl } = services;
  const lease = build
    .update(tokens)
    .set({ warning_leased_until: nowWith(`+${mailLeaseMinutes.tokenWarning} minutes`) })
    .where(and(eq(tokens.id, token.id), eq(tokens.warnings_sent, token.warnings_sent), needsWarning))
    .returning({ id: tokens.id });
  if (!(await run(db, changesRow(lease)))) return;
  const { creator, owner, due, slug, organization_id } = token;
  const recipients = [creator, owner === creator ? null : owner];
  // In the last days, the first warnings are out of date, and are skipped.
  for (let sent = Math.max(token.warnings_sent, due - recipients.length); sent < due; sent += 1) {
    const to = recipients[sent % recipients.length];
    let keep: Query<unknown> = noQuery;
    if (to) {
      const mail = mailOf(token, to, `${applicationUrl}/settings/${slug}/tokens/${token.id}/roll`);
      keep = saveMemberMail(
        organization_id,
        to,
        await mailNotice(services, organization_id, mail, { isHeldBack: false }),
      );
    }
    await retry(() => batch(db, [statement(markWarned(token.id, sent + 1)), keep]));
  }
  await run(
    db,
    statement(build.update(tokens).set({ warning_leased_until: null }).where(eq(tokens.id, token.id))),
  );
}

const markWarned = (id: string, warnings_sent: number) =>
  build.update(tokens).set({ warnings_sent }).where(eq(tokens.id, id));

function mailOf(
  { name, token_prefix, expires_at, workspace, accent }: Expiring,
  to: string,
  page: string,
): Mail {
  const days = Math.max(Math.ceil((Date.parse(expires_at) - Date.now()) / dayMs), 1);
  const soon = days === 1 ? "within a day" : `in ${days} days`;
  return {
    fromName: null,
    to,
    ...composeMail(`The token ${name} expires ${soon}`, {
      from: workspace,
      accent,
      preheader: "After that its requests are refused. Roll it to switch without a gap.",
      badge: { text: "Expires soon", tone: "bad" },
      heading: `${name} expires ${soon}`,
      parts: [
        { paragraph: "After that, requests with it are refused as if it had been revoked." },
        {
          facts: [
            ["Token", `${token_prefix}…`],
            ["Expires", momentText(expires_at)],
          ],
        },
        {
          paragraph:
            "Roll it to get a new token with the same permissions. Both work for as long as you choose.",
        },
      ],
      button: { text: "Roll the token", url: page },
      notes: ["If it is no longer used, you don't need to do anything."],
      reason: `You received this e-mail because you created the token or own the workspace ${workspace}.`,
    }),
  };
}
