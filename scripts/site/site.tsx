import { raw } from "hono/html";
import { placeholders } from "../../src/http/placeholders.ts";
import { htmlOf } from "../../src/pages/layout.tsx";
import { Fold } from "../../src/pages/parts/card.tsx";
import { contentsOf, type Group, type SitePage } from "./contents.ts";
import { callsOf, type Document } from "./document.ts";
import { Landing } from "./landing.tsx";
import { DocsPage } from "./layout.tsx";
import { filesForMachines } from "./machines.ts";
import { type Rendering, render, slugOf } from "./markdown.ts";
import { OperationPage } from "./operation.tsx";
import { Overview } from "./overview.tsx";
import { type Block, CodeTabs, SectionLinks } from "./parts.tsx";
import { searchEntries } from "./search.ts";
import { operationsIn } from "./site-links.ts";
import { TokenForm } from "./token-form.tsx";

/** `root` is the repository root, where the Markdown files are. */
export function siteOf(root: string, document: Document): Record<string, string> {
  const [start, ...others] = contentsOf(root, document);
  const groups: Group[] = [
    { heading: start?.heading ?? "", pages: [overview, ...(start?.pages ?? [])] },
    ...others,
  ];
  const rendering = renderingOf(document);
  const pages = groups.flatMap((group) => group.pages);
  const guides = groups.find(({ heading }) => heading === "Guides")?.pages ?? [];
  const guidesOf = Map.groupBy(
    guides.flatMap((guide) => operationsIn(document, guide.markdown).map((call) => ({ guide, call }))),
    ({ call }) => call.operation.operationId,
  );
  const rendered = pages.map((page) => {
    if (page.slug === "index")
      return {
        page,
        content: <Overview groups={groups} firstCall={samplesOf(document, "listClients")} />,
      };
    if (page.call) {
      const used = guidesOf.get(page.slug)?.map(({ guide }) => guide) ?? [];
      const content = (
        <OperationPage document={document} call={page.call} rendering={rendering} guides={used} />
      );
      return { page, content };
    }
    return { page, content: textPage(document, page, rendering, guides.includes(page)) };
  });
  const html = rendered.map(({ page, content }, index) => [
    `docs/${page.slug}.html`,
    htmlOf(
      <DocsPage groups={groups} page={page} previous={pages[index - 1]} next={pages[index + 1]}>
        {content}
      </DocsPage>,
      serviceName,
    ),
  ]);
  const [promise = ""] = document.info.description.split("\n\n");
  return {
    ...Object.fromEntries(html),
    "index.html": htmlOf(
      <Landing
        description={promise.replaceAll("\n", " ")}
        call={samplesOf(document, "createDeliverable").slice(0, 1)}
      />,
      serviceName,
    ),
    "docs/search.json": JSON.stringify(pages.flatMap((page) => searchEntries(page))),
    ...filesForMachines(document, groups),
  };
}

const overview: SitePage = {
  slug: "index",
  title: "Overview",
  summary: "The documentation of the Countersign partner API: guides, reference, clients.",
  markdown: "",
};

const { serviceName } = placeholders;

function renderingOf(document: Document): Rendering {
  const addresses = new Map(
    callsOf(document).map(({ method, path, operation }) => [
      `${method} ${path}`,
      `/docs/${operation.operationId}`,
    ]),
  );
  let blocks = 0;
  return {
    code(given) {
      blocks += 1;
      return String(<CodeTabs id={`code-${blocks}`} blocks={given} />);
    },
    addressOfCall: (call) =>
      call === "/api-v1/openapi.json" || /^\/docs\/[\w-]+$/.test(call)
        ? call
        : addresses.get(call.replaceAll(/\s+/g, " ").replace(/\?.*$/, "")),
  };
}

const samplesOf = (document: Document, operationId: string): Block[] =>
  callsOf(document)
    .find(({ operation }) => operation.operationId === operationId)
    ?.operation["x-codeSamples"]?.map(({ lang, label, source }) => ({
      language: label === "fetch" ? "js fetch" : ({ shell: "sh", python: "python" }[lang] ?? "js"),
      source,
    })) ?? [];

function textPage(document: Document, page: SitePage, rendering: Rendering, isGuide: boolean) {
  const { html, headings } = render(page.markdown, rendering);
  const used = isGuide ? operationsIn(document, page.markdown) : [];
  const chapters = headings.filter(({ depth }) => depth === 2);
  if (used.length > 0) chapters.push({ id: slugOf(operationsUsed), text: operationsUsed, depth: 2 });
  const [title = "", rest = ""] = html.split(/(?<=<\/h1>\n)/);
  return (
    <div class="text-page">
      <article class="text">
        {raw(title)}
        {chapters.length > 1 && (
          <div class="narrow">
            <Fold summary="On this page">
              <SectionLinks sections={chapters} />
            </Fold>
          </div>
        )}
        {raw(rest)}
        {page.slug === "first-call" && <TokenForm />}
        {used.length > 0 && (
          <>
            <h2 id={slugOf(operationsUsed)}>{operationsUsed}</h2>
            <ul>
              {used.map(({ method, path, operation }) => (
                <li>
                  <a href={`/docs/${operation.operationId}`}>{operation.summary}</a>{" "}
                  <code>
                    {method} {path}
                  </code>
                </li>
              ))}
            </ul>
          </>
        )}
      </article>
      {chapters.length > 1 && (
        <nav class="on-this-page" aria-label="On this page">
          <h2>On this page</h2>
          <SectionLinks sections={chapters} />
        </nav>
      )}
    </div>
  );
}

const operationsUsed = "Operations used here";
