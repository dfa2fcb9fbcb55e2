import type { Child } from "hono/jsx";
import { Icon, type IconName } from "./icon.tsx";

interface CardOptions {
  heading?: Child;
  /** The heading's id, which labels the section. */
  id?: string;
  /** To the right of the heading. */
  aside?: Child;
  footer?: Child;
  /** Removes the padding, for tables and lists. */
  flush?: boolean;
  children?: Child;
}

/** A section with a border and usually a heading. */
export const Card = ({ heading, id, aside, footer, flush = false, children }: CardOptions) => (
  <section
    class={flush ? "card flush" : "card"}
    aria-labelledby={heading && id ? `${id}-heading` : undefined}
  >
    {heading && (
      <header>
        <h2 id={id && `${id}-heading`}>{heading}</h2>
        {aside}
      </header>
    )}
    {children}
    {footer && <footer>{footer}</footer>}
  </section>
);

const noteIcons = { neutral: "info", good: "circleCheck", warn: "warning", bad: "circleX" } as const;

interface NoteOptions {
  tone?: keyof typeof noteIcons;
  heading?: Child;
  icon?: IconName;
  /** `alert` for an error, `status` for a success. */
  role?: "alert" | "status" | undefined;
  children?: Child;
}

/** Explains what happened, why, and what to do next, right where it happened. */
export const Note = ({ tone = "neutral", heading, icon = noteIcons[tone], role, children }: NoteOptions) => (
  <div class={`note ${tone}`} role={role}>
    <Icon name={icon} />
    <div>
      {heading && <h2>{heading}</h2>}
      {children}
    </div>
  </div>
);

/** Explains why a form was rejected. Screen readers announce it at once. */
export const Alert = ({ children }: { children: Child }) => (
  <Note tone="bad" role="alert">
    {children}
  </Note>
);

interface EmptyOptions {
  icon: IconName;
  heading: string;
  /** What will appear here, and what to do first. */
  children?: Child;
  actions?: Child;
}

export const Empty = ({ icon, heading, children, actions }: EmptyOptions) => (
  <section class="card empty">
    <span class="empty-icon">
      <Icon name={icon} />
    </span>
    <h2>{heading}</h2>
    <p>{children}</p>
    {actions && <div class="actions">{actions}</div>}
  </section>
);

interface FoldOptions {
  summary: Child;
  open?: boolean;
  children: Child;
}

/** Content shown on demand. */
export const Fold = ({ summary, open, children }: FoldOptions) => (
  <details class="fold" open={open}>
    <summary>{summary}</summary>
    {children}
  </details>
);
