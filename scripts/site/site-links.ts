import { posix } from "node:path";
import { callsOf, type Document, type DocumentedCall } from "./document.ts";

const linkPattern = /(?<!!)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;

/** Rewrites links to point to the pages' Markdown. Links to files outside the site become plain text. */
export function withSiteLinks(
  markdown: string,
  file: string,
  addresses: Readonly<Record<string, string>>,
): string {
  return outsideCode(markdown, (text) =>
    text.replaceAll(linkPattern, (whole, label: string, target: string) => {
      if (/^(?:https?:|#|\/)/.test(target)) return whole;
      const [path = "", fragment] = target.split("#");
      const slug = addresses[posix.join(posix.dirname(file), path)];
      if (slug === undefined) return label;
      const address = slug === "index" ? "/llms.txt" : `/docs/${slug}.md`;
      return `[${label}](${address}${fragment === undefined ? "" : `#${fragment}`})`;
    }),
  );
}

const outsideCode = (markdown: string, change: (text: string) => string): string =>
  markdown
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join("");

/** The operations that a page mentions in prose or calls in its code samples. */
export function operationsIn(document: Document, markdown: string): DocumentedCall[] {
  return callsOf(document).filter((call) => isNamed(call, markdown));
}

function isNamed({ method, path, operation }: DocumentedCall, markdown: string): boolean {
  const value = `(?:\\{\\w+\\}|\\$\\{?\\w+\\}?)`;
  const address = path.replaceAll(/\{\w+\}/g, value);
  const verb = method === "GET" ? "(?:GET|get)" : "(?:POST|post)";
  const inShell = new RegExp(`\\b${verb} "?${address}(?=["'\\s?\`]|$)`, "m");
  if (inShell.test(markdown)) return true;
  // In a plain curl write, the URL comes first and the body further down in the same command.
  const written = new RegExp(`"\\$URL${address}" \\\\\\n(?:.*\\\\\\n)*.*-d `);
  const read = new RegExp(`curl "\\$URL${address}(?:\\?[^"]*)?" -H`);
  if ((method === "POST" ? written : read).test(markdown)) return true;
  const sample = operation["x-codeSamples"]?.find(({ label }) => label === "TypeScript client")?.source;
  const called = /api\.\w+\.\w+\(/.exec(sample ?? "")?.[0];
  return called !== undefined && markdown.includes(called);
}
