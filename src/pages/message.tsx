import { Alert } from "./components.tsx";
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

interface RefusedOptions {
  heading: string;
  text: string;
  hint: string | null;
}

/** A page that only says why nothing was done; screen readers read it out. */
export const RefusedPage = ({ heading, text, hint }: RefusedOptions) => (
  <PageShell title={heading} brand="">
    <div class="sheet message">
      <h1>{heading}</h1>
      <Alert>
        <p>
          {text}
          {hint && ` (${hint})`}
        </p>
      </Alert>
    </div>
  </PageShell>
);

/** The same page for every unknown address, so that it tells nothing about known ones. */
export const NotFoundPage = () => (
  <MessagePage
    heading="There is nothing here"
    text="Check that the whole address was copied, or ask who sent you the link for a new one."
  />
);
