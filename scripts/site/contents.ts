/** The documentation's pages in order, with their Markdown. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { callsOf, type Document, type DocumentedCall } from "./document.ts";
import { answersOf, eventsMarkdown, operationMarkdown, refusalsIn } from "./operation-markdown.ts";
import { withSetup } from "./setup.ts";
import { withSiteLinks } from "./site-links.ts";

export interface SitePage {
  slug: string;
  title: string;
  summary: string;
  markdown: string;
  call?: DocumentedCall;
}

export interface Group {
  heading: string;
  isReference?: true;
  pages: SitePage[];
}

/** Repository files that become pages, with slug, title and summary. */
const files = {
  guides: [
    ["docs/guides/log-time.md", "log-time", "Log time", "Create each entry exactly once, over any network."],
    [
      "docs/guides/invoices.md",
      "invoices",
      "Draft an invoice",
      "Drafts from time entries, and payment events.",
    ],
    ["docs/guides/review.md", "review", "Send work for review", "Versions, feedback and the sign-off."],
    [
      "docs/guides/synchronize.md",
      "synchronize",
      "Keep a copy",
      "Copy records into your database, or follow the event feed.",
    ],
    ["docs/guides/try-a-write.md", "try-a-write", "Try a write first", "Dry runs that check every rule."],
    [
      "docs/guides/find-out-why.md",
      "find-out-why",
      "Find out why a call failed",
      "Request ids, the request log, problem details.",
    ],
    ["docs/guides/connect.md", "connect", "Connect an app", "OAuth, without copying a token."],
    [
      "docs/guides/switch-tokens.md",
      "switch-tokens",
      "Replace a token",
      "Switch to a new token without downtime.",
    ],
    ["docs/webhooks.md", "webhooks", "Receive webhooks", "Verify, respond, deduplicate, recover."],
    ["docs/sign-off-proof.md", "sign-off-proof", "Verify a sign-off", "Verify a client's sign-off offline."],
  ],
  tools: [
    [
      "client/README.md",
      "typescript-client",
      "TypeScript client",
      "Retries, keys, paging and webhooks, without dependencies.",
    ],
    [
      "client-python/README.md",
      "python-client",
      "Python client",
      "The same features, using only the standard library.",
    ],
    [
      "test/client/conformance/table.md",
      "conformance",
      "What both clients guarantee",
      "The scenarios that both clients pass.",
    ],
    ["docs/agents.md", "agents", "For AI agents", "llms.txt, Markdown pages, a skill and an MCP server."],
    ["docs/support.md", "support", "Support and security", "How to contact us or report a vulnerability."],
    ["CHANGELOG.md", "changelog", "Changelog", "What changed, and when."],
  ],
} as const;

/** Chapters of the introduction that have their own pages. */
const chapters: Record<string, [slug: string, summary: string]> = {
  "The first call": ["first-call", "One request in four languages."],
  Scopes: ["scopes", "What a token can do."],
  "Writes happen once": ["idempotency", "Idempotency-Keys and safe retries."],
  Lists: ["lists", "Pages, cursors, and changes since a point in time."],
  Errors: ["errors", "Every status and code, and whether to retry."],
  Limits: ["limits", "Rate limits and maximum sizes."],
  Values: ["values", "Formats of ids, times and amounts."],
  Versions: ["versions", "What can change without notice."],
};

/** The slugs of linked files, by repository path. */
export const addresses: Record<string, string> = {
  ...Object.fromEntries([...files.guides, ...files.tools].map(([file, slug]) => [file, slug])),
  client: "typescript-client",
  "client-python": "python-client",
  "docs/guides/README.md": "index",
};

export function contentsOf(root: string, document: Document): Group[] {
  const fromFiles = (list: readonly (readonly [string, string, string, string])[]): SitePage[] =>
    list.map(([file, slug, title, summary]) => {
      const read = withoutComments(readFileSync(join(root, file), "utf8"));
      const text = read.startsWith("# ") ? read : `# ${title}\n\n${read}`;
      return { slug, title, summary, markdown: withSetup(withSiteLinks(text, file, addresses)) };
    });
  const calls = callsOf(document);
  const reference = document.tags.map(({ name }): Group => {
    const pages = calls
      .filter(({ operation }) => operation.tags?.includes(name))
      .map((call): SitePage => {
        const { operationId, summary } = call.operation;
        const markdown = operationMarkdown(document, call);
        return { slug: operationId, title: summary, summary: `${call.method} ${call.path}`, markdown, call };
      });
    if (name === "Events") pages.push(eventsPage(document));
    return { heading: name, isReference: true, pages };
  });
  return [
    { heading: "Start", pages: startPages(document) },
    { heading: "Guides", pages: fromFiles(files.guides) },
    ...reference,
    { heading: "Tools", pages: fromFiles(files.tools) },
  ];
}

const withoutComments = (text: string) => text.replaceAll(/^<!--[\s\S]*?-->\n*/gm, "");

const eventsPage = (document: Document): SitePage => ({
  slug: "events",
  title: "Webhook events",
  summary: "The body of each event, with its fields and an example.",
  markdown: eventsMarkdown(document),
});

function startPages(document: Document): SitePage[] {
  const [, ...sections] = document.info.description.split(/^## /m);
  return sections.flatMap((section) => {
    const [title = "", ...lines] = section.split("\n");
    const [slug, summary] = chapters[title] ?? [];
    if (!slug || !summary) return [];
    const text = lines.join("\n").trim();
    const markdown = `# ${title}\n\n${generated[slug]?.(document, text) ?? text}\n`;
    return [{ slug, title, summary, markdown }];
  });
}

/** Chapters that are longer on the site than in the introduction. */
const generated: Record<string, (document: Document, text: string) => string> = {
  "first-call": firstCall,
  errors,
};

/** Shows a read and a write in every language; the introduction shows only curl. */
function firstCall(document: Document, text: string): string {
  const samples = (operationId: string) =>
    callsOf(document)
      .find(({ operation }) => operation.operationId === operationId)
      ?.operation["x-codeSamples"]?.map(({ lang, label, source }) => {
        const language = { shell: "sh", python: "python" }[lang] ?? (label === "fetch" ? "js fetch" : "js");
        return `\`\`\`${language}\n${source}\n\`\`\``;
      })
      .join("\n\n");
  return `${samples("listClients")}

${text.replace(/^```sh[\s\S]*?^```\n+/m, "")}

## The first write

The \`Idempotency-Key\` identifies the piece of work. If you send the request again, it returns 200 with
\`idempotent_replay: true\`, and there is still only one client.

${samples("createClient")}

Now follow a guide, such as [Log time](/docs/log-time.md), or find an operation in the table of contents.`;
}

/** Lists every error code under its status. Each code has a heading, so it can be linked to. */
function errors(document: Document, text: string): string {
  const all = callsOf(document).flatMap(({ operation }) =>
    refusalsIn(answersOf(document, operation).filter(({ status }) => status >= 400)),
  );
  const byStatus = [...Map.groupBy(all, ({ status }) => status)].sort(([one], [other]) => one - other);
  const chapters = byStatus.map(([status, refusals]) => {
    const byCode = [...Map.groupBy(refusals, ({ code }) => code)];
    const sections = byCode.map(([code, same]) => {
      const lines = [...new Set(same.map(({ meaning, body }) => `- ${meaning}: “${body.error}”`))];
      return `${code ? `### ${code}\n\n` : ""}${lines.join("\n")}\n\n${advice(status, code)}`;
    });
    return `## ${status}\n\n${sections.join("\n\n")}`;
  });
  return [text, ...chapters].join("\n\n");
}

function advice(status: number, code: string): string {
  if (code === "idempotency_key_in_progress" || [429, 500, 502, 503].includes(status))
    return "Retry the same request with the same key, after `Retry-After` if present, otherwise with backoff.";
  if (code === "upgrade_required")
    return "Do not retry. The workspace needs another plan, or must free up space.";
  if (code === "idempotency_key_reused") return "Do not retry. Use a new key for new work.";
  return "Do not retry the same request.";
}
