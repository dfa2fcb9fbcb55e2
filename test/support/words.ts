const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&amp;": "&",
};

/** The text of a piece of HTML, with single spaces between words. */
export const wordsOf = (html: string): string =>
  html
    .replaceAll("<wbr/>", "")
    .replaceAll(/<svg.*?<\/svg>|<[^>]+>/gs, " ")
    .replaceAll(/&\w+;|&#39;/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/\s+/g, " ")
    .trim();

export const tableRows = (page: string): string[][] =>
  [...page.matchAll(/<tr[^>]*>(<th scope="row".*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) => wordsOf(cell)),
  );

/** The figures on a page by name. A value includes the text below the figure. */
export const figuresOf = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(([, name = "", value = ""]) => [
      wordsOf(name),
      wordsOf(value),
    ]),
  );
