import type { Child } from "hono/jsx";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

/** A link back to the parent page. */
export const Crumbs = ({ href, children }: { href: string; children: Child }) => (
  <nav class="crumbs" aria-label="Breadcrumb">
    <a href={href}>
      <Icon name="chevronLeft" />
      {children}
    </a>
  </nav>
);

interface Choice {
  text: Child;
  href: string;
  isCurrent: boolean;
}

interface ChoicesOptions {
  label: string;
  choices: readonly Choice[];
  /** `segments` for a few alternatives, `chips` for filters, `tabs` for parts of a page. */
  as: "segments" | "chips" | "tabs";
}

/** Links, one of which is the current page. */
export const Choices = ({ label, choices, as }: ChoicesOptions) => (
  <nav class={as} aria-label={label}>
    {choices.map(({ text, href, isCurrent }) => (
      <a href={href} aria-current={isCurrent ? "true" : undefined}>
        {text}
      </a>
    ))}
  </nav>
);

/** A link to the rest of a list. */
export const Pager = ({ href, children }: { href: string; children: string }) => (
  <nav class="pager" aria-label="More">
    <Button kind="quiet" size="slim" href={href}>
      {children}
      <Icon name="chevronRight" />
    </Button>
  </nav>
);
