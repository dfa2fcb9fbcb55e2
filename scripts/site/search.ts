import type { SitePage } from "./contents.ts";
import { slugOf } from "./markdown.ts";

/** A searchable part of a page. */
interface SearchEntry {
  address: string;
  title: string;
  text: string;
}

/** A search entry per chapter. An operation or an event list counts as one chapter. */
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

/** Converts Markdown to plain text, without the title and collapsed parts. */
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
