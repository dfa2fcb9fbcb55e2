/** What a page says, without its markup. */

const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&amp;": "&",
};

/** The words of a piece of a page, one blank between them. */
export const wordsOf = (html: string): string =>
  html
    .replaceAll(/<svg.*?<\/svg>|<[^>]+>/gs, " ")
    .replaceAll(/&\w+;|&#39;/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/\s+/g, " ")
    .trim();

/** The rows of the tables of a page, each as the words of its cells. */
export const tableRows = (page: string): string[][] =>
  [...page.matchAll(/<tr[^>]*>(<th scope="row".*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) => wordsOf(cell)),
  );

/** The figures of a page by their names; what stands below one counts to it. */
export const figuresOf = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(([, name = "", value = ""]) => [
      wordsOf(name),
      wordsOf(value),
    ]),
  );
