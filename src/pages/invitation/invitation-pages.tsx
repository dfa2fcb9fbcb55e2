import { limits } from "../../contract/limits.ts";
import type { Invitation } from "../../workspace/members/accept-invitation.ts";
import { inviterText } from "../../workspace/members/invitation-mail.ts";
import { CenteredPage } from "../layout.tsx";
import { Button } from "../parts/button.tsx";

const roles = { owner: "an owner", admin: "an admin", member: "a member" } as const;

interface InvitationOptions {
  path: string;
  invitation: Invitation;
}

/**
 * The page that the e-mailed link opens. Opening it does not accept the invitation, because mail scanners open links
 * too.
 */
export const InvitationPage = ({ path, invitation }: InvitationOptions) => {
  const { workspace, inviterName, inviterEmail, email, role } = invitation;
  return (
    <CenteredPage title="Invitation">
      <div>
        <h1>
          Join <bdi>{workspace}</bdi>
        </h1>
        <p class="lede">
          <bdi>{inviterText({ name: inviterName, email: inviterEmail })}</bdi> invites{" "}
          <strong>{email}</strong> to join this workspace as {roles[role]}.
        </p>
      </div>
      <form class="card" method="post" action={path}>
        <Button size="large">Accept invitation</Button>
      </form>
      <p class="foot">If you don't know them, close this page. Nothing changes until you accept.</p>
    </CenteredPage>
  );
};

export const JoinedPage = ({
  invitation: { workspace, email, role, inviterName, inviterEmail },
}: Pick<InvitationOptions, "invitation">) => (
  <CenteredPage title="You have joined">
    <div>
      <h1>You have joined</h1>
      <p class="lede" role="status">
        You are now {roles[role]} of <bdi>{workspace}</bdi> as {email}. You can work on its projects, time and
        reviews.
      </p>
    </div>
    <div class="actions">
      <Button icon="mail" href={`mailto:${encodeURIComponent(inviterEmail)}`}>
        <span>
          E-mail <bdi>{inviterName || inviterEmail}</bdi>
        </span>
      </Button>
    </div>
  </CenteredPage>
);

export const DeadInvitationPage = () => (
  <CenteredPage title="This invitation does not work">
    <div>
      <h1>This invitation does not work</h1>
      <p class="lede">
        An invitation works once, for {limits.invitationDays} days. This one was accepted, replaced by a newer
        one, canceled or has expired, or its link is incomplete.
      </p>
    </div>
    <p>If you accepted it, sign in. Otherwise, ask for a new invitation.</p>
    <div class="actions">
      <Button href="/sign-in">Sign in</Button>
    </div>
  </CenteredPage>
);
