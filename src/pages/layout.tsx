import type { Context } from "hono";
import type { Child } from "hono/jsx";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { brandStylesheet, logoPath, type ShownBrand } from "../workspace/brands/addresses.ts";
import { Mark } from "./parts/avatar.tsx";
import { NamePlate, PoweredBy, serviceName } from "./parts/mark.tsx";

/** The stylesheet for all pages, built by scripts/stylesheet.ts. */
export const stylesheetPath = "/assets/pages.css";
/**
 * The settings script runs before the page is shown, so that no button can be pressed before it. The others are
 * deferred.
 */
const scripts = {
  settings: "/assets/settings.js",
  review: "/assets/review.js",
  verify: "/assets/verify.js",
} as const;

interface ShellOptions {
  /** The browser tab's title. The page's heading is part of its children. */
  title: string;
  /** The kind of page, for its layout. */
  shape?: "paper" | "settings" | "review" | "review wide" | "hosted" | undefined;
  /** The header or sidebar, with the page's owner and navigation. */
  before?: Child;
  /** The layout of the page's content. */
  main: "column" | "centered" | "centered wide" | "page" | "review-main";
  footer?: Child;
  /** The path of the stylesheet with the workspace's color. */
  brand?: string | null | undefined;
  /** The script that the page loads, if any. */
  script?: keyof typeof scripts;
  /** The content for link previews (Open Graph). */
  preview?: LinkPreview | undefined;
  children?: Child;
}

export interface LinkPreview {
  title: string;
  /** The image's absolute URL. */
  image?: string | undefined;
}

/** Whether a workspace's clients see the page. Its title then includes the workspace's name. */
const isOfWorkspace = (shape: ShellOptions["shape"]): boolean => shape !== undefined && shape !== "settings";

/** The shell of every page. Pages are readable without JavaScript and load nothing from other hosts. */
export const PageShell = ({
  title,
  shape,
  before,
  main,
  footer,
  brand,
  script,
  preview,
  children,
}: ShellOptions) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex, nofollow" />
      <title>{isOfWorkspace(shape) ? title : `${title} · ${serviceName.getStore()}`}</title>
      {preview && <meta property="og:title" content={preview.title} />}
      {preview?.image && <meta property="og:image" content={preview.image} />}
      <link rel="stylesheet" href={stylesheetPath} />
      {brand && <link rel="stylesheet" href={brand} />}
      <link rel="icon" href="/assets/mark.svg" type="image/svg+xml" />
      {script && <script src={scripts[script]} defer={script !== "settings"} />}
    </head>
    <body class={shape}>
      <a class="skip-link" href="#main">
        Skip to content
      </a>
      {before}
      <main id="main" class={main} tabindex={-1}>
        {children}
      </main>
      {footer && <footer class="bottom">{footer}</footer>}
    </body>
  </html>
);

interface ColumnOptions extends Pick<ShellOptions, "title" | "footer" | "children"> {
  shape?: "paper";
  /** The name at the top of the page. */
  brand: string;
  /** A badge or a link next to the name. */
  aside?: Child;
}

/** A page with a single column below the workspace's name. */
export const ColumnPage = ({ brand, aside, children, ...shell }: ColumnOptions) => (
  <PageShell
    {...shell}
    main="column"
    before={
      <header class="top">
        <strong dir="auto">{brand}</strong>
        {aside}
      </header>
    }
  >
    {children}
  </PageShell>
);

interface CenteredOptions extends Pick<ShellOptions, "title" | "script" | "children"> {
  /** Whether the page has two columns. */
  isWide?: boolean;
  /** The workspace whose client sees the page. Absent on the service's own pages. */
  host?: { name: string; brand: ShownBrand };
}

/** A page about a single step or message. */
export const CenteredPage = ({ isWide = false, host, children, ...shell }: CenteredOptions) => (
  <PageShell
    {...shell}
    main={isWide ? "centered wide" : "centered"}
    shape={host && "hosted"}
    brand={host && brandStylesheet(host.brand)}
    footer={host && <PoweredBy />}
  >
    {host ? (
      <p class="host">
        <Mark name={host.name} logo={logoPath(host.brand)} />
        <strong dir="auto">{host.name}</strong>
      </p>
    ) : (
      <NamePlate />
    )}
    {children}
  </PageShell>
);

/** Renders a page as an HTML document. */
export const htmlOf = (page: Child, name: string): string =>
  serviceName.run(name, () => `<!doctype html>${page}`);

export function showPage(
  c: Context,
  page: Child,
  status: ContentfulStatusCode = 200,
  headers: Record<string, string> = {},
): Response {
  const { SERVICE_NAME }: Pick<Env, "SERVICE_NAME"> = c.env;
  return c.html(htmlOf(page, SERVICE_NAME), status, headers);
}
