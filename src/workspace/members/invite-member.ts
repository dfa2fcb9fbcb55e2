import { and, eq, isNotNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { memberRoles } from "../../contract/closed-sets.ts";
import { claimLimits, limits } from "../../contract/limits.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import { changeEntries } from "../../core/audit-log/audited-change.ts";
import type { Context } from "../../core/context.ts";
import { dropExpired, removeEntry } from "../../core/ledger/ledger.ts";
import { hasReachedInvitationLimit, tooManyMails, uncountMail } from "../../core/mails/mails.ts";
import { saveMemberMail } from "../../core/mails/member-mails.ts";
import { build, row, rowOf, statement } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { batch, mapped, noQuery, type Query, required } from "../../db/query.ts";
import { report } from "../../platform/log.ts";
import { sendMail } from "../../platform/mail.ts";
import { newSecret, secretHash } from "../../platform/secret.ts";
import { findBrand } from "../brands/read-brand.ts";
import type { Brand } from "../brands/record.ts";
import { invitationLink, invitationMail, inviterText } from "./invitation-mail.ts";
import { findPerson, hasLink, isOpen } from "./read-people.ts";
import type { ListedMember } from "./record.ts";
import { invitations as table } from "./tables.ts";

interface Invited {
  email: string;
  role: (typeof memberRoles)[number];
  name?: string | undefined;
}

/**
 * E-mails an invitation. The person becomes a member when they accept it. Inviting again sends another link, and the
 * previous one stops working. If the address has reached its daily limit for invitations from all workspaces, the
 * e-mail waits, and a previous link works until it is sent. The workspace does not learn this, because it would reveal
 * the other invitations.
 */
export async function inviteMember(
  context: Context<Staff, "db" | "email" | "mailFrom" | "applicationUrl", "name" | "link_prefix">,
  invited: Invited,
): Promise<ListedMember | Refusal> {
  const { services, organization, actor, request } = context;
  const { email } = invited;
  const secret = newSecret(organization.link_prefix);
  let kept: Kept;
  try {
    kept = await keepInvitation(context, invited, secretHash(secret));
  } catch (error) {
    const refusal = tooManyMails(error, Date.now());
    if (refusal) return refusal;
    throw error;
  }
  const { person, earlier, brand } = kept;
  if (person.role !== invited.role) return refuse("owners_only");
  if (kept.isWaiting) return person;
  let messageId: string;
  try {
    const link = invitationLink(services, secret);
    const from = { workspace: organization.name, inviter: inviterText(actor), accent: brand?.accent ?? null };
    messageId = await sendMail(services, invitationMail(person, from, link));
  } catch (error) {
    report({ inviting: person.id }, error);
    // An invitation that could not be sent does not count against the limits.
    const forgetting = batch(services.db, [
      uncountMail(organization.id, email, "invitations"),
      ...takeBack(organization.id, email, secretHash(secret), earlier),
      request ? removeEntry(request) : noQuery,
    ]);
    await forgetting.catch((lost) => report({ counting_invitation: person.id }, lost));
    return refuse("invitation_not_mailed");
  }
  // Without this, both links work, and reports about the e-mail are not shown.
  const keeping = batch(services.db, [
    replaceLink(organization.id, email, secretHash(secret)),
    saveMemberMail(organization.id, email, messageId),
  ]);
  await keeping.catch((lost) => report({ keeping_message_id: person.id }, lost));
  return person;
}

/** A new invitation also waits if others are already waiting for the same address. */
const mustWait = (email: string): SQL =>
  sql`(${hasReachedInvitationLimit(email)} OR EXISTS (SELECT 1 FROM ${table} AS other
    WHERE other.email = ${email} AND other.waits_since IS NOT NULL))`;

const isOf = (organizationId: string, email: string): SQL | undefined =>
  and(eq(table.organization_id, organizationId), eq(table.email, email));

const isWaiting = (organizationId: string, email: string): Query<boolean> => {
  const found = { id: table.id };
  const waiting = and(isOf(organizationId, email), isNotNull(table.waits_since));
  return mapped(row(found, build.select(found).from(table).where(waiting)), (one) => one !== null);
};

/** What a new invitation replaces in the row of an earlier one. */
const replaced = {
  role: table.role,
  name: table.name,
  token_hash: table.token_hash,
  created_by: table.created_by,
  expires_at: table.expires_at,
  accepted_at: table.accepted_at,
  created_at: table.created_at,
  next_token_hash: table.next_token_hash,
};

const findEarlier = (organizationId: string, email: string) =>
  rowOf(build.select(replaced).from(table).where(isOf(organizationId, email)));
type Earlier = NonNullable<ReturnType<ReturnType<typeof findEarlier>["read"]>>;

/**
 * Removes an invitation that could not be sent, and restores the earlier one, whose link therefore still works. A
 * trigger counts the restored link as a new e-mail, so it is uncounted again.
 */
function takeBack(
  organizationId: string,
  email: string,
  tokenHash: string,
  earlier: Earlier | null,
): readonly Query<void>[] {
  const where = and(eq(table.organization_id, organizationId), hasLink(tokenHash));
  if (earlier === null) return [statement(build.delete(table).where(where))];
  return [
    statement(build.update(table).set(earlier).where(where)),
    uncountMail(organizationId, email, "invitations"),
  ];
}

/** Makes the newest e-mail's link the only one. */
const replaceLink = (organizationId: string, email: string, tokenHash: string): Query<void> =>
  statement(
    build
      .update(table)
      .set({ token_hash: tokenHash, next_token_hash: null })
      .where(and(isOf(organizationId, email), eq(table.next_token_hash, tokenHash))),
  );

/** An admin cannot replace an owner's invitation that can still be accepted. */
const mayReplace = or(ne(table.role, "owner"), sql`NOT (${isOpen})`);

interface Kept {
  person: ListedMember;
  /** The invitation that was replaced. */
  earlier: Earlier | null;
  isWaiting: boolean;
  brand: Brand | null;
}

/** Stores the invitation, replacing an earlier one. */
async function keepInvitation(
  context: Context<Staff, "db">,
  invited: Invited,
  token_hash: string,
): Promise<Kept> {
  const { services, organization, request } = context;
  const { email, role, name } = invited;
  const details = { role, ...(name !== undefined && { name }) };
  const [earlier, brand, ...answers] = await batch(services.db, [
    findEarlier(organization.id, email),
    findBrand(organization.id),
    request ? dropExpired(request) : noQuery,
    saveInvitation(context, invited, token_hash),
    ...changeEntries(context, "member.invited", email, details, { leaseSeconds: claimLimits.leaseSeconds }),
    isWaiting(organization.id, email),
    required(findPerson(organization.id, email)),
  ]);
  // The cast is safe: results come in the order of the queries.
  const [waits, person] = answers.slice(-2) as [boolean, ListedMember];
  return { person, earlier, isWaiting: waits, brand };
}

function saveInvitation(
  { organization, actor }: Context<Staff, never>,
  { email, role, name }: Invited,
  token_hash: string,
): Query<void> {
  const expires_at = nowWith(`+${limits.invitationDays} days`);
  const waits_since = sql`iif(${mustWait(email)}, ${now}, NULL)`;
  const kept = { role, token_hash, created_by: actor.id, expires_at };
  const values = {
    id: crypto.randomUUID(),
    organization_id: organization.id,
    email,
    name: name ?? null,
    ...kept,
    waits_since,
    mail_due_at: waits_since,
  };
  const waiting = (before: SQLiteColumn) =>
    sql`iif(excluded.waits_since IS NULL, NULL, coalesce(${before}, excluded.waits_since))`;
  const again = {
    ...kept,
    // An earlier link that works is kept until an e-mail with a newer one has been sent.
    token_hash: sql`iif(${isOpen}, ${table.token_hash}, excluded.token_hash)`,
    next_token_hash: sql`iif(${isOpen}, iif(excluded.waits_since IS NULL, excluded.token_hash,
      ${table.next_token_hash}), NULL)`,
    name: sql`coalesce(excluded.name, ${table.name})`,
    created_at: sql`iif(${table.accepted_at} IS NULL, ${table.created_at}, ${now})`,
    accepted_at: null,
    waits_since: waiting(table.waits_since),
    mail_due_at: waiting(table.mail_due_at),
  };
  return statement(
    build
      .insert(table)
      .values(values)
      .onConflictDoUpdate({
        target: [table.organization_id, table.email],
        set: again,
        ...(actor.role === "owner" ? {} : { setWhere: mayReplace }),
      }),
  );
}
