import type { SitePage } from "./contents.ts";
import { slugOf } from "./markdown.ts";

/** A part of a page that search can find. */
interface SearchEntry {
  address: string;
  title: string;
  /** All of its text, in lower case. */
  words: string;
}

/** The chapters of a page; an operation or an event list is one chapter. */
export function searchEntries({ slug, title, summary, markdown, call }: SitePage): SearchEntry[] {
  if (slug === "index") return [];
  const address = `/docs/${slug}`;
  const [head = "", ...chapters] = call ? [markdown] : markdown.split(/^(?=## )/m);
  const words = (text: string) =>
    [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_:/{}.+-]+/gu) ?? [])].join(" ");
  return [
    { address, title, words: words(`${call ? `${call.method} ` : ""}${title} ${summary} ${head}`) },
    ...chapters.map((chapter) => {
      const heading = (chapter.split("\n", 1)[0] ?? "").replace("## ", "").replaceAll("`", "");
      return {
        address: `${address}#${slugOf(heading)}`,
        title: `${title}: ${heading}`,
        words: words(`${title} ${chapter}`),
      };
    }),
  ];
}
