import { and, eq, lte, sql } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { mailLeaseMinutes } from "../../contract/mail-leases.ts";
import { countDelayedInvitation, hasReachedInvitationLimit } from "../../core/mails/mails.ts";
import { saveMemberMail } from "../../core/mails/member-mails.ts";
import type { Services } from "../../core/services.ts";
import { build, changesRow, named, rowsOf, statement } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { batch, run } from "../../db/query.ts";
import { sendMail } from "../../platform/mail.ts";
import { newSecret, secretHash } from "../../platform/secret.ts";
import { retry } from "../../platform/timeout.ts";
import { accentOf } from "../brands/tables.ts";
import { organizations } from "../organizations/tables.ts";
import { invitationLink, invitationMail, inviterText } from "./invitation-mail.ts";
import { isOpen } from "./read-people.ts";
import { members, invitations as table } from "./tables.ts";

type InvitationServices = Pick<Services, "db" | "email" | "mailFrom" | "applicationUrl">;

const invitationsPerMinute = 50;

const isDue = lte(table.mail_due_at, now);

/** Finds every workspace's longest-waiting invitation, then each one's second. */
const findDue = () =>
  rowsOf(
    build
      .select({
        id: table.id,
        organization_id: table.organization_id,
        email: table.email,
        role: table.role,
        workspace: named(organizations.name, "workspace"),
        link_prefix: organizations.link_prefix,
        inviterName: named(members.name, "inviterName"),
        inviterEmail: named(members.email, "inviterEmail"),
        accent: accentOf(table.organization_id).as("accent"),
      })
      .from(table)
      .innerJoin(organizations, eq(organizations.id, table.organization_id))
      .innerJoin(members, eq(members.id, table.created_by))
      .where(and(isDue, isOpen))
      .orderBy(
        sql`row_number() OVER (PARTITION BY ${table.organization_id} ORDER BY ${table.waits_since})`,
        table.waits_since,
      )
      .limit(invitationsPerMinute),
  );
type Due = ReturnType<ReturnType<typeof findDue>["read"]>[number];

const isOf = ({ id, organization_id }: Due) =>
  and(eq(table.id, id), eq(table.organization_id, organization_id));

/** Sends invitations that were delayed to another day (contract N3). A failed e-mail does not delay the others. */
export async function sendWaitingInvitations(services: InvitationServices): Promise<void> {
  const failures: unknown[] = [];
  for (const due of await run(services.db, findDue())) {
    try {
      await sendInvitation(services, due);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} invitations were not sent`);
}

async function sendInvitation(services: InvitationServices, due: Due): Promise<void> {
  const { db } = services;
  const secret = newSecret(due.link_prefix);
  const [, isLeased] = await batch(db, [postpone(due), lease(due, secretHash(secret))]);
  if (!isLeased) return;
  const inviter = inviterText({ name: due.inviterName, email: due.inviterEmail });
  const mail = invitationMail(due, { ...due, inviter }, invitationLink(services, secret));
  const messageId = await sendMail(services, mail);
  await retry(() =>
    batch(db, [
      finish(due, secretHash(secret)),
      countDelayedInvitation(due.organization_id, due.email),
      saveMemberMail(due.organization_id, due.email, messageId),
    ]),
  );
}

/** Postpones an invitation to the next day if its address has reached the daily limit. It keeps its place in line. */
const postpone = (due: Due) =>
  statement(
    build
      .update(table)
      .set({ mail_due_at: sql`strftime('%Y-%m-%dT00:00:00.000Z', 'now', '+1 day')` })
      .where(and(isOf(due), isDue, hasReachedInvitationLimit(due.email))),
  );

/** Stores a new link, because the first one cannot be recovered: only its hash is stored. */
const lease = (due: Due, next_token_hash: string) =>
  changesRow(
    build
      .update(table)
      .set({
        next_token_hash,
        mail_due_at: nowWith(`+${mailLeaseMinutes.invitation} minutes`),
        expires_at: nowWith(`+${limits.invitationDays} days`),
      })
      .where(and(isOf(due), isDue))
      .returning({ id: table.id }),
  );

/** Makes the e-mail's link the only one, unless the person has been invited again in the meantime. */
const finish = (due: Due, tokenHash: string) => {
  const isNewest = sql`${table.next_token_hash} = ${tokenHash}`;
  const set = {
    token_hash: sql`iif(${isNewest}, ${tokenHash}, ${table.token_hash})`,
    next_token_hash: sql`iif(${isNewest}, NULL, ${table.next_token_hash})`,
    waits_since: null,
    mail_due_at: null,
  };
  return statement(build.update(table).set(set).where(isOf(due)));
};
