import { and, eq, sql } from "drizzle-orm";
import { webhookLimits } from "../../contract/webhook-limits.ts";
import { composeMail } from "../../core/mails/compose-mail.ts";
import { mailNotice } from "../../core/mails/mail-notice.ts";
import { saveMemberMail } from "../../core/mails/member-mails.ts";
import type { Services } from "../../core/services.ts";
import { build, named, type RowOf, row, rows, statement } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { batch, mapped, noQuery, type Query, run } from "../../db/query.ts";
import { byTurn } from "../../db/round-robin.ts";
import type { Mail, Mailer } from "../../platform/mail.ts";
import { retry } from "../../platform/timeout.ts";
import { accentOf } from "../../workspace/brands/tables.ts";
import { firstOwnerEmail } from "../../workspace/members/members.ts";
import { organizations } from "../../workspace/organizations/tables.ts";
import { webhookEndpoints as endpoints } from "../endpoints/tables.ts";

const selection = {
  id: endpoints.id,
  organization_id: endpoints.organization_id,
  notice: endpoints.notice,
  consecutive_dead: endpoints.consecutive_dead,
  /** When the notice became due. A later time means that it is a different notice. */
  due_at: sql<string>`${endpoints.notice_due_at}`.as("due_at"),
  url: endpoints.url,
  enabled: endpoints.enabled,
  organization_name: named(organizations.name, "organization_name"),
  slug: organizations.slug,
  accent: accentOf(endpoints.organization_id).as("accent"),
  owner_email: firstOwnerEmail(endpoints.organization_id).as("owner_email"),
};
type Notice = RowOf<typeof selection>;

const isDue = sql`${endpoints.notice_due_at} IS NOT NULL AND ${endpoints.deleted_at} IS NULL`;

/** The maximum per cron run, because an e-mail can take 10 s. The next run continues. */
const noticesPerMinute = 50;

/**
 * Finds every organization's oldest due notice, then each one's second oldest, so that no organization delays another.
 * Reads only due rows, from the partial index webhook_endpoints_to_notify. The cross join makes SQLite read the
 * endpoints first.
 */
export const findDueNotices = (): Query<Notice[]> =>
  rows(
    selection,
    build
      .select(selection)
      .from(endpoints)
      .crossJoin(organizations)
      .where(sql`${organizations.id} = ${endpoints.organization_id} AND ${isDue}`)
      .orderBy(byTurn(endpoints.organization_id, endpoints.notice_due_at))
      .limit(noticesPerMinute),
  );

/**
 * A run that has held the lease for longer than this has crashed, and another run sends the notice. The owner may get
 * it twice, but always gets it.
 */
const leaseMinutes = 5;

/** Read again when a notice is leased, because earlier e-mails may have taken minutes. */
const { owner_email, consecutive_dead, enabled } = selection;
const current = { owner_email, consecutive_dead, enabled };

/**
 * Leases a notice and reads its current state. Returns null if another run has the lease. Runs can overlap, because
 * e-mails can take long.
 */
function leaseNotice(notice: Notice): Query<Notice | null> {
  const { notice_due_at, notice_leased_at } = endpoints;
  const isFree = sql`coalesce(${notice_leased_at} < ${nowWith(`-${leaseMinutes} minutes`)}, true)`;
  const leasing = build.update(endpoints).set({ notice_leased_at: now });
  const ofNotice = and(eq(endpoints.id, notice.id), eq(notice_due_at, notice.due_at), isFree);
  const leased = row(current, leasing.where(ofNotice).returning(current));
  return mapped(leased, (found) => found && { ...notice, ...found });
}

/**
 * Ends the lease. A sent notice is no longer due; a failed one goes to the end of the queue. If the breaker has opened
 * again in the meantime, its newer notice stays due.
 */
function endLease({ id, due_at }: Notice, isSent: boolean): Query<void> {
  const ended = isSent ? null : now;
  const notice_due_at = sql`iif(${endpoints.notice_due_at} = ${due_at}, ${ended}, ${endpoints.notice_due_at})`;
  return statement(
    build.update(endpoints).set({ notice_leased_at: null, notice_due_at }).where(eq(endpoints.id, id)),
  );
}

/**
 * E-mails the workspace's owner once when the circuit breaker has disabled an endpoint, and once when it is about to. A
 * failed e-mail is retried by the next call and does not delay the others.
 */
export async function notifyOwners(services: Pick<Services, "db" | keyof Mailer>): Promise<void> {
  const failures: unknown[] = [];
  for (const notice of await run(services.db, findDueNotices())) {
    try {
      await notifyOwner(services, notice);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} owners were not notified`);
}

async function notifyOwner(services: Pick<Services, "db" | keyof Mailer>, found: Notice): Promise<void> {
  const { db, applicationUrl } = services;
  const notice = await run(db, leaseNotice(found));
  if (!notice) return;
  const { owner_email, slug, id } = notice;
  let keep: Query<unknown> = noQuery;
  try {
    if (owner_email !== null && !hasRecovered(notice)) {
      const mail = notice.notice === "warning" ? warningMail : noticeMail;
      const page = `${applicationUrl}/settings/${slug}/webhooks/${id}`;
      const messageId = await mailNotice(services, notice.organization_id, mail(notice, owner_email, page), {
        isHeldBack: true,
      });
      keep = saveMemberMail(notice.organization_id, owner_email, messageId);
    }
  } catch (error) {
    await run(db, endLease(notice, false));
    throw error;
  }
  await retry(() => batch(db, [endLease(notice, true), keep]));
}

/** A warning is obsolete once a delivery has succeeded. */
const hasRecovered = ({ notice, consecutive_dead }: Notice): boolean =>
  notice === "warning" && consecutive_dead < webhookLimits.deadDeliveriesToWarn;

function warningMail(notice: Notice, to: string, page: string): Mail {
  const { url, consecutive_dead } = notice;
  const { host } = new URL(url);
  return mailOf(to, `${host} is failing`, notice, {
    preheader: `The last ${consecutive_dead} deliveries gave up.`,
    badge: { text: "Failing", tone: "bad" },
    heading: "A webhook endpoint is failing",
    parts: [
      {
        paragraph:
          `The last ${consecutive_dead} deliveries to ${host} gave up: every attempt failed, or the receiver ` +
          "refused them.",
      },
      {
        facts: [
          ["Endpoint", url],
          ["Next", `After ${webhookLimits.deadDeliveriesToDisable} in a row, the endpoint is switched off.`],
        ],
      },
    ],
    button: { text: "See why", url: page },
    notes: [`Nothing is lost. ${replayText}`],
  });
}

function noticeMail(notice: Notice, to: string, page: string): Mail {
  const { url, enabled } = notice;
  const { host } = new URL(url);
  return mailOf(to, `${host} ${enabled ? "was" : "is"} switched off`, notice, {
    preheader: `${webhookLimits.deadDeliveriesToDisable} deliveries in a row gave up.`,
    badge: enabled ? { text: "On again", tone: "good" } : { text: "Switched off", tone: "bad" },
    heading: "A webhook endpoint was switched off",
    parts: [
      {
        paragraph: `${webhookLimits.deadDeliveriesToDisable} deliveries in a row to ${host} gave up.`,
      },
      {
        facts: [
          ["Endpoint", url],
          enabled
            ? ["Since then", "An admin has enabled it again. The events that waited are being sent."]
            : [
                "Next",
                `New events wait for up to ${webhookLimits.keptDays} days. ` +
                  "They are sent as soon as an admin enables the endpoint again.",
              ],
        ],
      },
    ],
    button: { text: "Open the endpoint", url: page },
    notes: [replayText],
  });
}

const replayText = `The deliveries that gave up can be replayed on its page for ${webhookLimits.keptDays} days.`;

const mailOf = (
  to: string,
  subject: string,
  { organization_name: workspace, accent }: Notice,
  content: Omit<Parameters<typeof composeMail>[1], "from" | "accent" | "reason">,
): Mail => ({
  fromName: null,
  to,
  ...composeMail(subject, {
    ...content,
    from: workspace,
    accent,
    reason: `You received this e-mail as the owner of the workspace ${workspace}.`,
  }),
});
