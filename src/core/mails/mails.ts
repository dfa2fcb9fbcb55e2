import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { limits } from "../../contract/limits.ts";
import { type Refusal, raisedName, refuse } from "../../contract/refusal.ts";
import { build, row, statement } from "../../db/build.ts";
import { mapped, type Query, required } from "../../db/query.ts";
import { organizations, plans } from "../../workspace/organizations/tables.ts";
import { mailCounts } from "./tables.ts";

/**
 * Counts and limits e-mails by day, workspace and address. Triggers count links, codes and invitations when their rows
 * are inserted (count-mail.ts). Notices are counted here when they are sent.
 */

const daySeconds = 86_400;

/** Returns the whole seconds until the day ends (UTC), at least 1. */
const secondsOfDayLeft = (nowMs: number): number => daySeconds - (Math.floor(nowMs / 1000) % daySeconds);

/** Returns the 429 if the error was caused by an e-mail limit; undefined for any other error. */
export function tooManyMails(error: unknown, nowMs: number): Refusal | undefined {
  const raised = raisedName(error);
  const seconds = secondsOfDayLeft(nowMs);
  const headers = { "Retry-After": String(seconds) };
  if (raised === "invitations_to_address") return refuse(raised, {}, headers);
  if (raised !== "mails_to_address" && raised !== "mails_of_workspace") return undefined;
  return refuse(raised, { retry_after_seconds: seconds }, headers);
}

const ofToday = (organizationId: string) =>
  sql`${mailCounts.organization_id} = ${organizationId} AND ${mailCounts.day} = date('now')`;

/** Uncounts a review e-mail, code or invitation that was not sent. */
export const uncountMail = (
  organizationId: string,
  address: string,
  kind: "mails" | "invitations" = "mails",
): Query<void> => {
  const { mails, invitations, invitations_mailed, address: to } = mailCounts;
  const isOfAll = sql`${to} = ''`;
  const less = (column: SQLiteColumn, isMeant: SQL) => sql`${column} - (${column} > 0 AND ${isMeant})`;
  const set =
    kind === "mails"
      ? { mails: less(mails, sql`true`) }
      : {
          mails: less(mails, isOfAll),
          invitations: less(invitations, sql`NOT ${isOfAll}`),
          invitations_mailed: less(invitations_mailed, sql`NOT ${isOfAll}`),
        };
  return statement(
    build
      .update(mailCounts)
      .set(set)
      .where(sql`${ofToday(organizationId)} AND ${to} IN ('', lower(${address}))`),
  );
};

/**
 * Whether an address has reached its daily limit for invitations from all workspaces. `<> ''` lets SQLite use the
 * partial index on addresses.
 */
export const hasReachedInvitationLimit = (email: SQL | string): SQL =>
  sql`(SELECT total(${mailCounts.invitations_mailed}) FROM ${mailCounts} WHERE ${mailCounts.day} = date('now')
    AND ${mailCounts.address} = lower(${email}) AND ${mailCounts.address} <> '')
    >= ${limits.invitationsMailedToAddressPerDay}`;

const mailsOfToday = (organizationId: SQLWrapper, address: SQLWrapper) =>
  sql`coalesce((SELECT ${mailCounts.mails} FROM ${mailCounts} WHERE ${mailCounts.organization_id} = ${organizationId}
    AND ${mailCounts.day} = date('now') AND ${mailCounts.address} = ${address}), 0)`;

/** Whether a workspace may send one more e-mail to clients today. */
export const mayMailToday = (organizationId: SQLWrapper): SQL<number> =>
  sql`${mailsOfToday(organizationId, sql`''`)} < (SELECT ${plans.mails_per_day} FROM ${organizations}
    JOIN ${plans} ON ${plans.name} = ${organizations.plan} WHERE ${organizations.id} = ${organizationId})`;

/** Whether a workspace may send one more e-mail to this client's address today. */
export const mayMailAddressToday = (organizationId: SQLWrapper, email: SQLWrapper): SQL<number> =>
  sql`${mailsOfToday(organizationId, sql`lower(${email})`)} < ${limits.mailsToAddressPerDay}`;

const countToday =
  (column: "invitations_mailed" | "notices") =>
  (organizationId: string, address: string): Query<void> =>
    statement(
      build
        .insert(mailCounts)
        .values({
          organization_id: organizationId,
          day: sql`date('now')`,
          address: sql`lower(${address})`,
          [column]: 1,
        })
        .onConflictDoUpdate({
          target: [mailCounts.day, mailCounts.organization_id, mailCounts.address],
          set: { [column]: sql`${mailCounts[column]} + 1` },
        }),
    );

/** Counts a delayed invitation as sent. It was counted against the workspace's limits when it was requested. */
export const countDelayedInvitation = countToday("invitations_mailed");
export const countNotice = countToday("notices");

/** Counts today's notices to an address from all workspaces. `<> ''` lets SQLite use the partial index. */
export const noticesOfToday = (address: string): Query<number> => {
  const { day, address: to, notices } = mailCounts;
  const selection = { notices: sql<number>`sum(${notices})`.as("notices") };
  const isOfToday = sql`${day} = date('now') AND ${to} = lower(${address}) AND ${to} <> ''`;
  const counted = build.select(selection).from(mailCounts).where(isOfToday);
  return mapped(required(row(selection, counted)), (found) => found.notices);
};

/** Uncounts a notice that was not sent. If `isHeld`, counts it for the digest. */
export const uncountNotice = (
  organizationId: string,
  address: string,
  { isHeld }: { isHeld: boolean },
): Query<void> =>
  statement(
    build
      .update(mailCounts)
      .set({
        notices: sql`max(${mailCounts.notices} - 1, 0)`,
        ...(isHeld && { held_notices: sql`${mailCounts.held_notices} + 1` }),
      })
      .where(sql`${ofToday(organizationId)} AND ${mailCounts.address} = lower(${address})`),
  );
