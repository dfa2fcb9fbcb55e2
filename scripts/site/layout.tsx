import type { Child } from "hono/jsx";
import { placeholders } from "../../src/http/placeholders.ts";
import { stylesheetPath } from "../../src/pages/layout.tsx";
import { Button } from "../../src/pages/parts/button.tsx";
import { NamePlate } from "../../src/pages/parts/mark.tsx";
import type { Group, SitePage } from "./contents.ts";
import { Verb } from "./parts.tsx";

interface FrameOptions {
  title: string;
  description: string;
  markdown: string;
  shape?: "landing";
  children: Child;
}

export const Frame = ({ title, description, markdown, shape, children }: FrameOptions) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="description" content={description} />
      <title>{title}</title>
      <link rel="stylesheet" href={stylesheetPath} />
      <link rel="stylesheet" href="/docs/site.css" />
      <link rel="icon" href="/assets/mark.svg" type="image/svg+xml" />
      <link rel="alternate" type="text/markdown" href={markdown} />
      <script src="/docs/site.js" defer />
    </head>
    <body class={shape}>
      <a class="skip-link" href="#main">
        Skip to content
      </a>
      {children}
      <footer class="site-foot">
        <div class="band">
          <NamePlate />
          <nav aria-label="More">
            <a href="/docs">Docs</a>
            <a href="/docs/changelog">Changelog</a>
            <a href="/docs/sign-off-proof">Verify a sign-off</a>
            <a href="/docs/support">Support</a>
            <a href="/llms.txt">llms.txt</a>
          </nav>
        </div>
      </footer>
    </body>
  </html>
);

const Bar = () => (
  <header class="site-bar">
    <div>
      <Button kind="bare" icon="menu" type="button" popovertarget="contents" label="Contents" />
      <NamePlate href="/" />
      <form id="search" hidden>
        <input
          type="search"
          aria-label="Search the documentation"
          aria-controls="found"
          aria-keyshortcuts="Control+K"
          placeholder="Search"
          autocomplete="off"
        />
        <p class="unseen" role="status" />
        <div id="found" />
      </form>
      <nav aria-label="Site">
        <a href="/docs">Docs</a>
        <a href="/docs/changelog">Changelog</a>
      </nav>
      <Button kind="quiet" size="slim" icon="key" href="/docs/first-call#try-it-with-your-token">
        Use my token
      </Button>
    </div>
  </header>
);

const Contents = ({ groups, current }: { groups: readonly Group[]; current: string }) => (
  <nav class="contents" id="contents" popover="auto" aria-label="Documentation">
    {groups.map(({ heading, pages }) => (
      <>
        <h2>{heading}</h2>
        <ul>
          {pages.map(({ slug, title, call }) => (
            <li>
              <a href={addressOfPage(slug)} aria-current={current === slug ? "page" : undefined}>
                {call && <Verb method={call.method} />}
                {title}
              </a>
            </li>
          ))}
        </ul>
      </>
    ))}
  </nav>
);

/** A page's URL, for links in HTML. */
export const addressOfPage = (slug: string): string => (slug === "index" ? "/docs" : `/docs/${slug}`);

/** A page's URL, for links in Markdown. */
export const markdownAddressOf = (slug: string): string =>
  slug === "index" ? "/llms.txt" : `/docs/${slug}.md`;

interface DocsPageOptions {
  groups: readonly Group[];
  page: SitePage;
  previous?: SitePage | undefined;
  next?: SitePage | undefined;
  children: Child;
}

export const DocsPage = ({ groups, page, previous, next, children }: DocsPageOptions) => (
  <Frame
    title={`${page.title} · ${placeholders.serviceName}`}
    description={page.summary}
    markdown={markdownAddressOf(page.slug)}
  >
    <Bar />
    <div class="docs">
      <Contents groups={groups} current={page.slug} />
      <main id="main" tabindex={-1}>
        {children}
        <nav class="neighbors" aria-label="Previous and next">
          {previous && (
            <a rel="prev" href={addressOfPage(previous.slug)}>
              <span>Previous</span>
              {previous.title}
            </a>
          )}
          {next && (
            <a rel="next" href={addressOfPage(next.slug)}>
              <span>Next</span>
              {next.title}
            </a>
          )}
        </nav>
      </main>
    </div>
  </Frame>
);
