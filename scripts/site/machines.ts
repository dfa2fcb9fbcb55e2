/** Machine-readable files: llms.txt, all pages as Markdown, robots.txt and the API catalog. */
import { placeholders } from "../../src/http/placeholders.ts";
import type { Group, SitePage } from "./contents.ts";
import type { Document } from "./document.ts";
import { markdownAddressOf } from "./layout.tsx";

const { origin } = placeholders;

export function filesForMachines(document: Document, groups: readonly Group[]): Record<string, string> {
  const pages = groups.flatMap((group) => group.pages).filter(({ slug }) => slug !== "index");
  return {
    ...Object.fromEntries(pages.map(({ slug, markdown }) => [`docs/${slug}.md`, markdown])),
    "llms.txt": overview(document, groups),
    "llms-full.txt": pages.map(({ markdown }) => markdown.trim()).join("\n\n---\n\n"),
    "robots.txt": robots,
    ".well-known/api-catalog.json": `${JSON.stringify(apiCatalog, null, 2)}\n`,
  };
}

function overview({ info, tags }: Document, groups: readonly Group[]): string {
  const line = ({ slug, title, summary }: SitePage) => `- [${title}](${markdownAddressOf(slug)}): ${summary}`;
  const described = Object.fromEntries(tags.map(({ name, description }) => [name, description]));
  const section = ({ heading, pages, isReference }: Group) => {
    const about = isReference ? `${described[heading]}\n\n` : "";
    const listed = pages.filter(({ slug }) => slug !== "index");
    return `## ${heading}\n\n${about}${listed.map(line).join("\n")}\n`;
  };
  const ofKind = (wanted: boolean) => groups.filter(({ isReference = false }) => isReference === wanted);
  const [promise = ""] = info.description.split("\n\n");
  // Guides first, because they explain how the operations fit together.
  const order = [...ofKind(false).sort((one, other) => rank(one) - rank(other)), ...ofKind(true)];
  return `# ${info.title}

> ${promise.replaceAll("\n", " ")}

Base URL: ${origin}. Every request needs the headers \`apikey: ${placeholders.apikey}\` and
\`Authorization: Bearer ${placeholders.token}\`. The links lead to Markdown pages; without \`.md\`, each page is HTML.
[llms-full.txt](/llms-full.txt) has all pages in one file. For tools, there are the [OpenAPI
document](/api-v1/openapi.json), a [Postman collection](/docs/partner-api.postman_collection.json), and a
[skill](/docs/SKILL.md) for agents.

${order.map(section).join("\n")}`;
}

const rank = ({ heading }: Group) => ["Guides", "Start", "Tools"].indexOf(heading);

/** Reviews are allowed for link previews, and because a crawler must fetch a page to obey its `noindex`. */
const robots = `User-agent: *
Allow: /
Disallow: /api-
Disallow: /settings
Disallow: /rpc/
`;

/** The API catalog (RFC 9727). */
const apiCatalog = {
  linkset: [
    {
      anchor: `${origin}/api-v1`,
      "service-desc": [{ href: `${origin}/api-v1/openapi.json`, type: "application/json" }],
      "service-doc": [
        { href: `${origin}/docs`, type: "text/html" },
        { href: `${origin}/llms.txt`, type: "text/plain" },
      ],
    },
  ],
};
