import { eq, ne, sql } from "drizzle-orm";
import type { presentRoles } from "../../contract/closed-sets.ts";
import { limits } from "../../contract/limits.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import { build, statement } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { batch, nothing, required, run, runLast } from "../../db/query.ts";
import { report } from "../../platform/log.ts";
import { type Mail, sendMail } from "../../platform/mail.ts";
import { newSecret, secretHash } from "../../platform/secret.ts";
import type { Staff } from "../actor.ts";
import { audited, doneByForm } from "../audit-log/audited-change.ts";
import { findBrand } from "../brands/read-brand.ts";
import type { Context } from "../context.ts";
import { letter, serviceName } from "../letter.ts";
import { tooManyMails, uncountMail } from "../mails/mails.ts";
import { removeLine } from "../requests/ledger.ts";
import { findPerson } from "./read-people.ts";
import type { ListedMember } from "./record.ts";
import { invitations as table } from "./tables.ts";

interface Invited {
  email: string;
  role: (typeof presentRoles)[number];
  name?: string | undefined;
}

/**
 * Mails an invitation. Until it is accepted, the person is not a member. Inviting again mails another link, and the
 * previous one stops working.
 */
export async function inviteMember(
  context: Context<Staff, "db" | "email" | "mailFrom" | "applicationUrl", "name">,
  invited: Invited,
): Promise<ListedMember | Refusal> {
  const { services, organization, request } = context;
  const { email } = invited;
  const secret = newSecret();
  let person: ListedMember;
  try {
    person = await keepInvitation(context, invited, secretHash(secret));
  } catch (error) {
    const refusal = tooManyMails(error, Date.now());
    if (refusal) return refusal;
    throw error;
  }
  if (person.role !== invited.role) return refuse("owners_only");
  try {
    const link = `${services.applicationUrl}/invitations/${secret}`;
    const brand = await run(services.db, findBrand(organization.id));
    await sendMail(services, invitationMail(context, person, { link, accent: brand?.accent ?? null }));
  } catch (error) {
    report({ inviting: person.id }, error);
    // An invitation that reached nobody does not count.
    const forgetting = batch(services.db, [
      statement(build.delete(table).where(eq(table.token_hash, secretHash(secret)))),
      uncountMail(organization.id, email, "invitations"),
      request ? removeLine(request) : nothing,
    ]);
    await forgetting.catch((lost) => report({ counting_invitation: person.id }, lost));
    return refuse("invitation_not_mailed");
  }
  return person;
}

/** Keeps the invitation, in the place of an earlier one; an admin replaces no owner's. */
function keepInvitation(
  context: Context<Staff, "db">,
  { email, role, name }: Invited,
  token_hash: string,
): Promise<ListedMember> {
  const { services, organization, actor } = context;
  const expires_at = nowWith(`+${limits.invitationDays} days`);
  const kept = { role, token_hash, created_by: actor.id, expires_at };
  const values = {
    id: crypto.randomUUID(),
    organization_id: organization.id,
    email,
    name: name ?? null,
    ...kept,
  };
  const again = {
    ...kept,
    name: sql`coalesce(excluded.name, ${table.name})`,
    created_at: sql`iif(${table.accepted_at} IS NULL, ${table.created_at}, ${now})`,
    accepted_at: null,
  };
  return runLast(services.db, [
    statement(
      build
        .insert(table)
        .values(values)
        .onConflictDoUpdate({
          target: [table.organization_id, table.email],
          set: again,
          ...(actor.role === "owner" ? {} : { setWhere: ne(table.role, "owner") }),
        }),
    ),
    audited(context, "member.invited", email, { role, ...(name !== undefined && { name }) }),
    ...doneByForm(context, { action: "member.invited", subjectId: email }),
    required(findPerson(organization.id, email)),
  ]);
}

const may = {
  owner: "As an owner, you can do everything there, and choose the other owners.",
  admin: "As an admin, you can create API tokens and webhooks, and invite others.",
  member: "As a member, you work on projects, time and reviews, without the settings.",
} as const;

/** It names the inviter by their address, which is proved; names are what anybody likes. */
function invitationMail(
  { organization, actor }: Context<Staff, never, "name">,
  { email, role }: ListedMember,
  { link, accent }: { link: string; accent: string | null },
): Mail {
  const { name: workspace } = organization;
  return {
    fromName: serviceName,
    to: email,
    ...letter(`Invitation to ${workspace}`, {
      from: workspace,
      accent,
      preheader: `${actor.email} invites you to the workspace.`,
      heading: `Join ${workspace}`,
      parts: [
        { paragraph: `${actor.email} invites you to the workspace ${workspace}.` },
        ...(role === "none" ? [] : [{ paragraph: may[role] }]),
      ],
      button: { text: "See the invitation", url: link },
      notes: [
        `The link works once, for ${limits.invitationDays} days. If you do not know who invites you, ignore this ` +
          "mail: nothing happens unless you accept.",
      ],
      reason: `You get this mail because ${actor.email} entered your address.`,
    }),
  };
}
