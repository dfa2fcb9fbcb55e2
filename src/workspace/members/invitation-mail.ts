import { limits } from "../../contract/limits.ts";
import { composeMail } from "../../core/mails/compose-mail.ts";
import type { Mail, Mailer } from "../../platform/mail.ts";
import type { ListedMember } from "./record.ts";

export const invitationLink = ({ applicationUrl }: Pick<Mailer, "applicationUrl">, secret: string): string =>
  `${applicationUrl}/invitations/${secret}`;

const may = {
  owner: "As an owner, you have full access, and choose the other owners.",
  admin: "As an admin, you can create API tokens and webhooks, and invite others.",
  member: "As a member, you work on projects, time and reviews. You don't have access to the settings.",
} as const;

/** Returns the inviter's name together with their verified address, because anyone can choose any name. */
export const inviterText = ({ name, email }: Pick<ListedMember, "name" | "email">): string =>
  name === null ? email : `${name} (${email})`;

export function invitationMail(
  { email, role }: Pick<ListedMember, "email" | "role">,
  { workspace, inviter, accent }: { workspace: string; inviter: string; accent: string | null },
  link: string,
): Mail {
  return {
    fromName: null,
    to: email,
    ...composeMail(`Invitation to ${workspace}`, {
      from: workspace,
      accent,
      preheader: `${inviter} invites you to the workspace.`,
      heading: `Join ${workspace}`,
      parts: [
        { paragraph: `${inviter} invites you to the workspace ${workspace}.` },
        ...(role === "none" ? [] : [{ paragraph: may[role] }]),
      ],
      button: { text: "Open the invitation", url: link },
      notes: [
        `The link works once, for ${limits.invitationDays} days. If you don't know who invited you, ignore ` +
          "this e-mail: nothing happens unless you accept.",
      ],
      reason: `You received this e-mail because ${inviter} entered your address.`,
    }),
  };
}
