import { limits } from "../../contract/limits.ts";
import type { Invitation } from "../../workspace/members/accept-invitation.ts";
import { PageShell } from "../layout.tsx";

const brand = "Settings";

const roles = { owner: "an owner", admin: "an admin", member: "a member" } as const;

interface InvitationOptions {
  path: string;
  invitation: Invitation;
}

/** The page behind the link of the mail. A machine that opens it accepts nothing. */
export const InvitationPage = ({ path, invitation }: InvitationOptions) => {
  const { workspace, inviter, email, role } = invitation;
  return (
    <PageShell title="Invitation" brand={brand}>
      <div class="sheet">
        <h1>
          Join <bdi>{workspace}</bdi>
        </h1>
        <p>
          {inviter} invites <strong>{email}</strong> to join this workspace as {roles[role]}.
        </p>
        <form method="post" action={path} class="actions">
          <button type="submit">Accept invitation</button>
        </form>
        <p class="muted">If you do not know them, close this page: nothing changes.</p>
      </div>
    </PageShell>
  );
};

export const JoinedPage = ({
  invitation: { workspace, email, role },
}: Pick<InvitationOptions, "invitation">) => (
  <PageShell title="You have joined" brand={brand}>
    <div class="sheet message">
      <h1>You have joined</h1>
      <p role="status">
        {email} is now {roles[role]} of <bdi>{workspace}</bdi>. You can close this page.
      </p>
    </div>
  </PageShell>
);

export const DeadInvitationPage = () => (
  <PageShell title="This invitation does not work" brand={brand}>
    <div class="sheet">
      <h1>This invitation does not work</h1>
      <p>
        An invitation works once, for {limits.invitationDays} days. This one was accepted, replaced by a newer
        one, taken back or is too old, or its address was not copied whole.
      </p>
      <p>If you accepted it, sign in. Otherwise, ask for a new invitation.</p>
      <div class="actions">
        <a class="button" href="/sign-in">
          Sign in
        </a>
      </div>
    </div>
  </PageShell>
);
