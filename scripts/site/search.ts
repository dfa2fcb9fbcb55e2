import type { SitePage } from "./contents.ts";
import { slugOf } from "./markdown.ts";

/** A part of a page that search can find. */
interface SearchEntry {
  address: string;
  title: string;
  /** The text, without Markdown syntax. */
  text: string;
}

/** A search entry for each chapter of a page. An operation or an event list is one chapter. */
export function searchEntries({ slug, title, summary, markdown, call }: SitePage): SearchEntry[] {
  if (slug === "index") return [];
  const address = `/docs/${slug}`;
  const [head = "", ...chapters] = call ? [markdown] : markdown.split(/^(?=## )/m);
  return [
    { address, title, text: plain(call ? head : `${summary}\n${head}`) },
    ...chapters.map((chapter) => {
      const [line = "", ...lines] = chapter.split("\n");
      const heading = line.replace("## ", "").replaceAll("`", "");
      return {
        address: `${address}#${slugOf(heading)}`,
        title: `${title}: ${heading}`,
        text: plain(lines.join("\n")),
      };
    }),
  ];
}

/** Converts Markdown to plain text, without the title and folded parts. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/^(?:# .*|<details>[\s\S]*?<\/details>)$/gm, "")
    .replaceAll(/^(?:```.*|#+ |[|: -]+$)/gm, "")
    .replaceAll(/\[([^\]]*)\]\([^)\s]*\)/g, "$1")
    .replaceAll(/\*\*|`|\\\|/g, "")
    .replaceAll(/^\| *| *\|$/gm, "")
    .replaceAll(/ *\| */g, " · ")
    .replaceAll(/\s+/g, " ")
    .trim();
