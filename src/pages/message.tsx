import { PageShell } from "./layout.tsx";

export interface MessageOptions {
  heading: string;
  text: string;
  /** Where to go from here. */
  link?: { text: string; href: string };
}

/** A page that says one thing. */
export const MessagePage = ({ heading, text, link }: MessageOptions) => (
  <PageShell title={heading} brand="">
    <div class="sheet message">
      <h1>{heading}</h1>
      <p>{text}</p>
      {link && (
        <p>
          <a href={link.href}>{link.text}</a>
        </p>
      )}
    </div>
  </PageShell>
);

/** The same for every address that leads nowhere, so that it tells nothing of those that do. */
export const NotFoundPage = () => (
  <MessagePage
    heading="There is nothing here"
    text="Check that the whole address was copied, or ask who sent you the link for a new one."
  />
);
