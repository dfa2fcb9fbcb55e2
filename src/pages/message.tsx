import { CenteredPage } from "./layout.tsx";
import { Button } from "./parts/button.tsx";
import type { IconName } from "./parts/icon.tsx";
import { Icon } from "./parts/icon.tsx";

export interface MessageOptions {
  heading: string;
  text: string;
  icon?: IconName;
  /** Makes screen readers announce that the action failed. */
  role?: "alert";
  /** Where the reader can go from here. */
  link?: { text: string; href: string } | undefined;
}

export const MessagePage = ({ heading, text, icon = "circleAlert", role, link }: MessageOptions) => (
  <CenteredPage title={heading}>
    <div class="card empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
      <h1>{heading}</h1>
      <p role={role}>{text}</p>
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

/** Shown for every unknown URL, so that it does not reveal what exists. */
export const notFoundMessage = {
  heading: "There is nothing here",
  text: "Check that the link is complete, or ask the person who sent it for a new one.",
  icon: "unlink",
  // For admins. Without a session, it leads to the sign-in page.
  link: { text: "Go to your workspaces", href: "/settings" },
} as const satisfies MessageOptions;

/** A null `link` is for clients, who have no page to go back to. */
export const NotFoundPage = ({ link = notFoundMessage.link }: { link?: MessageOptions["link"] | null }) => (
  <MessagePage {...notFoundMessage} link={link ?? undefined} />
);
