/** Converts Markdown to HTML, with heading anchors, syntax highlighting and language tabs. */
import { createRequire } from "node:module";
import { Marked, type Tokens } from "marked";
import { dayText } from "../../src/core/mails/compose-mail.ts";

/** Declared here because the package's own types would add the DOM types to every file. */
interface Highlighter {
  highlight(code: string, options: { language: string }): { value: string };
}
const highlighter: Highlighter = createRequire(import.meta.url)("highlight.js/lib/common");

/** Code block languages by their Markdown name: the tab's value and label, and the grammar. */
export const codeLanguages: Record<string, { value: string; label: string; grammar?: string }> = {
  sh: { value: "curl", label: "curl", grammar: "bash" },
  js: { value: "ts", label: "TypeScript", grammar: "javascript" },
  "js fetch": { value: "fetch", label: "fetch", grammar: "javascript" },
  python: { value: "py", label: "Python", grammar: "python" },
  json: { value: "json", label: "JSON", grammar: "json" },
};

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** CSS classes for keywords, strings, numbers and comments. */
const classes: Record<string, string> = {
  keyword: "k",
  literal: "k",
  built_in: "k",
  string: "s",
  regexp: "s",
  attr: "s",
  number: "n",
  comment: "c",
};

export function highlighted(code: string, language = ""): string {
  const { grammar } = codeLanguages[language] ?? {};
  if (!grammar) return escaped(code);
  return highlighter
    .highlight(code, { language: grammar })
    .value.replaceAll(/<span class="hljs-(\w+)[^"]*">/g, (_, name: string) =>
      classes[name] ? `<span class="${classes[name]}">` : "<span>",
    );
}

/** The anchor of a heading, as GitHub generates it. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .trim()
    .replaceAll(/\s/g, "-");

interface Rendered {
  html: string;
  headings: { id: string; text: string; depth: number }[];
}

export interface Rendering {
  /** Renders code with a tab for each language. */
  code(blocks: { language: string; source: string }[]): string;
  /** The URL of the page for a call such as `GET /api-v1/clients`. */
  addressOfCall(call: string): string | undefined;
}

/** Spells out a release's date: `1.3.0 (2026-11-24)` becomes `1.3.0` and `24 November 2026`. */
const withDate = (heading: string): string =>
  heading.replace(/ \((\d{4}-\d\d-\d\d)\)$/, (_, day: string) => ` <small>${dayText(day)}</small>`);

/** A paragraph that only names the list below it, as in the changelog. Such lists are collapsed. */
const isName = /^[A-Z][A-Za-z ]*$/;

export function render(markdown: string, { code, addressOfCall }: Rendering): Rendered {
  const headings: Rendered["headings"] = [];
  const taken = new Map<string, number>();
  let isInLink = false;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const base = slugOf(text.replaceAll("`", ""));
        const count = taken.get(base) ?? 0;
        taken.set(base, count + 1);
        const id = count === 0 ? base : `${base}-${count}`;
        headings.push({ id, text: text.replaceAll("`", ""), depth });
        const shown = withDate(this.parser.parseInline(tokens));
        return `<h${depth} id="${id}">${shown}</h${depth}>\n`;
      },
      html: ({ text }) => text.replace("<details>", '<details class="fold">'),
      link({ href, tokens }) {
        isInLink = true;
        const text = this.parser.parseInline(tokens);
        isInLink = false;
        return `<a href="${escaped(siteAddress(href))}">${text}</a>`;
      },
      codespan({ text }) {
        const address = isInLink ? undefined : addressOfCall(text);
        const shown = `<code>${escaped(text)}</code>`;
        return address ? `<a href="${address}">${shown}</a>` : shown;
      },
      table(token) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("");
        const rows = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
        const head = `<thead><tr>${cells(token.header, "th")}</tr></thead>`;
        const table = `<table>${head}<tbody>${rows}</tbody></table>`;
        return `<div class="wide-table" tabindex="0" role="group" aria-label="Table">${table}</div>\n`;
      },
    },
  });
  const tokens = marked.lexer(markdown);
  let html = "";
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    const listed = tokens[at + 1]?.type === "space" ? at + 2 : at + 1;
    const list = tokens[listed];
    if (token?.type === "paragraph" && isName.test(token.raw.trim()) && list?.type === "list") {
      const count = (list as Tokens.List).items.length;
      const summary = `<summary>${token.raw.trim()} <span class="muted">${count}</span></summary>`;
      html += `<details class="fold">${summary}\n${marked.parser([list])}</details>\n`;
      at = listed;
      continue;
    }
    if (token?.type !== "code") {
      html += token ? marked.parser([token]) : "";
      continue;
    }
    const blocks = [blockOf(token as Tokens.Code)];
    // Consecutive blocks in different languages become tabs.
    for (let next = at + 1; next < tokens.length; next += 1) {
      const following = tokens[next];
      if (following?.type === "space") continue;
      if (following?.type !== "code") break;
      const block = blockOf(following as Tokens.Code);
      if (!(block.language in codeLanguages) || blocks.some(({ language }) => language === block.language))
        break;
      blocks.push(block);
      at = next;
    }
    html += code(blocks);
  }
  return { html, headings };
}

const blockOf = ({ lang = "", text }: Tokens.Code) => ({ language: lang, source: text });

/** Links to a page's HTML instead of its Markdown, except for the skill, which has no HTML. */
const siteAddress = (href: string) =>
  href.startsWith("/docs/") && !href.startsWith("/docs/SKILL")
    ? href.replace(/\.md(?=#|$)/, "")
    : href.replace(/^\/llms\.txt$/, "/docs");

/** Renders one line of Markdown, for descriptions in the OpenAPI document. */
export const renderLine = (text: string, rendering: Pick<Rendering, "addressOfCall">): string => {
  const { html } = render(text, { ...rendering, code: () => "" });
  return html.replace(/^<p>([\s\S]*?)<\/p>\n?$/, "$1");
};
