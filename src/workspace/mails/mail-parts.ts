import { html, raw } from "hono/html";
import { linesOf } from "../../contract/characters.ts";

/** How a mail's text looks. Long words break rather than widen the page of a phone. */
export const textStyle =
  "overflow-wrap:anywhere;word-break:break-word;" +
  "font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;color:#1a1a1a";

export const quoteStyle = "margin:0 0 16px;padding:0 0 0 16px;border-left:3px solid #cccccc";

/** What somebody wrote, line by line, in the text of a mail. */
export const quotedText = (text: string): string =>
  linesOf(text)
    .map((line) => `> ${line}`)
    .join("\n");

/** The same in the HTML of a mail. */
export const quotedHtml = (text: string) =>
  linesOf(text).map((line, index) => html`${index > 0 ? raw("<br>") : ""}${line}`);
