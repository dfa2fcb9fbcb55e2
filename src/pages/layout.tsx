import type { Child } from "hono/jsx";

/** Where the one stylesheet of all pages is served (scripts/stylesheet.ts lays it out). */
export const stylesheetPath = "/assets/pages.css";
const scriptPath = "/assets/live.js";

interface PageOptions {
  /** Of the browser's tab; the page's own heading stands in its children. */
  title: string;
  /** Whose page it is: the name at the top. */
  brand: string;
  /** Beside the name: a badge, a menu. */
  aside?: Child;
  /** `wide` for tables, `paper` for what is printed. */
  shape?: "wide" | "paper";
  footer?: Child;
  /** Loads the one script, which shows without a reload what changes meanwhile. */
  isLive?: boolean;
  children?: Child;
}

/** The shell of every page: readable without a script and without anything from another host. */
export const PageShell = ({ title, brand, aside, shape, footer, isLive, children }: PageOptions) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex, nofollow" />
      <title>{title}</title>
      <link rel="stylesheet" href={stylesheetPath} />
      <link rel="icon" href="data:," />
      {/* Loaded before the page, so that no button can be pressed before the script runs. */}
      {isLive && <script src={scriptPath} />}
    </head>
    <body class={shape}>
      <a class="skip-link" href="#main">
        Skip to content
      </a>
      <header class="top">
        <span class="brand" dir="auto">
          {brand}
        </span>
        {aside}
      </header>
      <main id="main" tabindex={-1}>
        {children}
      </main>
      {footer && <footer class="bottom">{footer}</footer>}
    </body>
  </html>
);

/** The bytes of a page. */
export const htmlOf = (page: Child): string => `<!doctype html>${String(page)}`;
