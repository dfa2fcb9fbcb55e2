import { CenteredPage } from "./layout.tsx";
import { Button } from "./parts/button.tsx";
import { Alert } from "./parts/card.tsx";
import type { IconName } from "./parts/icon.tsx";
import { Icon } from "./parts/icon.tsx";

export interface MessageOptions {
  heading: string;
  text: string;
  icon?: IconName;
  /** Where to go from here. */
  link?: { text: string; href: string };
}

/** A page that says one thing. */
export const MessagePage = ({ heading, text, icon = "circleAlert", link }: MessageOptions) => (
  <CenteredPage title={heading}>
    <div class="card empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
      <h1>{heading}</h1>
      <p>{text}</p>
      {link && (
        <div class="actions">
          <Button kind="quiet" href={link.href}>
            {link.text}
          </Button>
        </div>
      )}
    </div>
  </CenteredPage>
);

interface RefusedOptions {
  heading: string;
  text: string;
  hint: string | null;
}

/** A page that only says why nothing was done; screen readers read it out. */
export const RefusedPage = ({ heading, text, hint }: RefusedOptions) => (
  <CenteredPage title={heading}>
    <h1>{heading}</h1>
    <Alert>
      <p>
        {text}
        {hint && ` (${hint})`}
      </p>
    </Alert>
  </CenteredPage>
);

/** For admins; without a session, it leads to the sign-in. */
const toWorkspaces = { text: "Go to your workspaces", href: "/settings" };

/**
 * The same page for every unknown address, so that it tells nothing about known ones. `null`: a client has nowhere to
 * go back to.
 */
export const NotFoundPage = ({ link = toWorkspaces }: { link?: MessageOptions["link"] | null }) => (
  <MessagePage
    heading="There is nothing here"
    text="Check that you have the whole address, or ask the person who sent you the link for a new one."
    icon="unlink"
    {...(link && { link })}
  />
);
