import { html, raw } from "hono/html";
import { linesOf, toOneLine } from "../../contract/characters.ts";
import { type Mail, pictureId } from "../../platform/mail.ts";
import { brandColors } from "../colors.ts";

/** Formats the UTC day for an e-mail: `31 January 2026`. */
export const dayText = (at: string): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(new Date(at));

/** Formats the time for an e-mail: `31 January 2026, 09:30 UTC`. */
export const momentText = (at: string): string => `${dayText(at)}, ${at.slice(11, 16)} UTC`;

/**
 * The contents of an e-mail. All e-mails share one layout, and the text and HTML versions are built from the same
 * parts. E-mails do not load anything from the network: they have no web fonts or tracking, and pictures are attached.
 */
export interface MailContent {
  /** The sender's name at the top: a workspace, or null for the service itself. */
  from: string | null;
  /** A workspace's color, `#rrggbb`, for its initial and for buttons without a tone. */
  accent?: string | null;
  /** The preview that an e-mail client shows next to the subject. */
  preheader: string;
  /** A badge above the heading. */
  badge?: { text: string; tone: "good" | "bad" };
  heading: string;
  parts: readonly Part[];
  /** A version whose picture is shown above the button, with the same link. */
  picture?: PicturedVersion;
  button?: { text: string; url: string; tone?: "good" };
  /** Shown below the button in small text. */
  notes?: readonly string[];
  /** A second action, below the notes. */
  link?: { text: string; url: string };
  /** Why the recipient gets this e-mail. */
  reason: string;
}

interface PicturedVersion {
  /** Null for an e-mail without a picture. */
  imagePath: string | null;
  title: string;
  versionNumber: number;
}

type Part =
  | { paragraph: string }
  | { quote: string; by?: string }
  | { digits: string; label: string }
  | { facts: readonly (readonly [name: string, value: string])[] };

/**
 * Composes the subject, text and HTML of an e-mail. Text typed by people is put on one line, except in quotes, which
 * keep their line breaks.
 */
export function composeMail(
  subject: string,
  typed: MailContent,
): Pick<Mail, "subject" | "write" | "imagePath"> {
  const content = inSingleLines(typed);
  const imagePath = content.picture?.imagePath;
  return {
    subject: toOneLine(subject),
    ...(imagePath && { imagePath }),
    write: (service, hasPicture = false) => ({
      text: textOf(content, service),
      html: htmlOf(toOneLine(subject), { ...content, hasPicture }, service),
    }),
  };
}

const inSingleLines = ({
  from,
  preheader,
  heading,
  parts,
  notes = [],
  reason,
  ...rest
}: MailContent): MailContent => ({
  ...rest,
  from: from === null ? null : toOneLine(from),
  preheader: toOneLine(preheader),
  heading: toOneLine(heading),
  parts: parts.map(partInSingleLines),
  notes: notes.map(toOneLine),
  reason: toOneLine(reason),
});

function partInSingleLines(part: Part): Part {
  if ("paragraph" in part) return { paragraph: toOneLine(part.paragraph) };
  if ("facts" in part) return { facts: part.facts.map(([name, value]) => [name, toOneLine(value)] as const) };
  return "quote" in part && part.by !== undefined ? { ...part, by: toOneLine(part.by) } : part;
}

/**
 * Returns the lines of the footer. If the sender is a workspace, the footer is the only place that names the service.
 */
const footerOf = ({ from, reason }: MailContent, service: string): string[] =>
  from === null ? [reason] : [reason, `Sent with ${service}`];

function textOf(content: MailContent, service: string): string {
  const { from, badge, heading, parts, button, notes = [], link } = content;
  return [
    from ?? service,
    `${badge ? `${badge.text}: ` : ""}${heading}`,
    ...parts.map(textOfPart),
    ...(button ? [`${button.text}:\n${button.url}`] : []),
    ...notes,
    ...(link ? [`${link.text}:\n${link.url}`] : []),
    `-- \n${footerOf(content, service).join("\n")}`,
  ].join("\n\n");
}

function textOfPart(part: Part): string {
  if ("paragraph" in part) return part.paragraph;
  if ("digits" in part) return `${part.label}: ${part.digits}`;
  if ("facts" in part) return part.facts.map(([name, value]) => `${name}: ${value}`).join("\n");
  const quoted = linesOf(part.quote).map((line) => `> ${line}`);
  return [...(part.by === undefined ? [] : [`${part.by} wrote:`, ""]), ...quoted].join("\n");
}

/** The light colors. E-mail clients that support dark mode use the dark ones from the stylesheet below. */
const ink = { page: "#f3f3f0", card: "#ffffff", text: "#1b1b19", soft: "#5a5953", sunk: "#f3f3f0" } as const;
const tones = { good: "#187a43", bad: "#b01e1e", none: "#1b1b19" } as const;

const font = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const breaks = "overflow-wrap:anywhere;word-break:break-word";
const small = `margin:0 0 8px;font-size:13px;line-height:1.5;color:${ink.soft}`;
const block = `margin:0 0 20px;padding:16px 20px;border-radius:8px;background:${ink.sunk}`;

/** Returns a workspace's colors, or the service's own. */
function colors(accent: string | null | undefined) {
  if (!accent) return { ground: tones.none, on: "#ffffff", darkGround: "#f0efeb", darkOn: "#111110" };
  const [light, inDark] = [brandColors(accent, "light"), brandColors(accent, "dark")];
  return { ground: light.ground, on: light.on, darkGround: inDark.ground, darkOn: inDark.on };
}
type Colors = ReturnType<typeof colors>;

const darkStyles = ({ darkGround, darkOn }: Colors) => `:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){
body,.page{background:#111110!important}
.card{background:#191918!important;border-color:#2f2f2c!important}
.sunk{background:#222220!important}
.text{color:#f0efeb!important}
.soft{color:#b4b2aa!important}
.plain{background:${darkGround}!important;color:${darkOn}!important}
}`;

function htmlOf(subject: string, letter: MailContent & { hasPicture: boolean }, service: string): string {
  const { from, accent, preheader, badge, heading, parts, picture, button, notes, link } = letter;
  const own = colors(accent);
  return String(html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${raw(darkStyles(own))}</style></head>
<body class="page" style="margin:0;padding:24px 12px;background:${ink.page};\
font-family:${raw(font)};font-size:15px;line-height:1.55;${breaks}">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${preheader}${raw("&#847;&zwnj;&nbsp;".repeat(60))}</div>
<div style="max-width:568px;margin:0 auto">
<p class="text" style="margin:0 0 16px;padding:0 4px;font-weight:600;color:${ink.text}">\
${from === null ? tile(mark, mark.text, "") : tile({ ground: own.ground, on: own.on }, initialOf(from), "plain")}\
<bdi>${from ?? service}</bdi></p>
<div class="card" style="padding:32px 28px 24px;border:1px solid #e4e4df;border-radius:12px;background:${ink.card}">
${badge ? badgeOf(badge) : ""}\
<h1 class="text" style="margin:0 0 12px;font-size:24px;line-height:1.25;letter-spacing:-.01em;color:${ink.text}">${heading}</h1>
${parts.map(htmlOfPart)}\
${picture && letter.hasPicture ? pictureOf(picture, button) : ""}\
${button ? buttonOf(button, own) : ""}\
${(notes ?? []).map((note) => html`<p class="soft" style="${small}">${note}</p>\n`)}\
${button ? addressOf(button.url) : ""}\
${link ? linkOf(link) : ""}\
</div>
${footerOf(letter, service).map(
  (
    line,
  ) => html`<p class="soft" style="margin:16px 4px 0;font-size:12px;line-height:1.5;color:${ink.soft}">${line}</p>
`,
)}\
</div>
</body>
</html>
`);
}

/** The service's logo (pages/mark.ts), as closely as an e-mail without images can show it. */
const mark = { ground: "#2f45c5", on: "#ffffff", text: "✓" } as const;

const tile = ({ ground, on }: { ground: string; on: string }, text: string, look: "plain" | "") =>
  html`<span style="display:inline-block;width:32px;margin-right:10px;border-radius:8px;background:${ground};\
color:${on};line-height:32px;text-align:center" class="${look}" aria-hidden="true">${text}</span>`;

const initialOf = (name: string) => [...name][0]?.toUpperCase() ?? "";

const badgeOf = ({ text, tone }: NonNullable<MailContent["badge"]>) =>
  html`<p style="margin:0 0 12px"><span style="display:inline-block;padding:3px 12px;border-radius:99px;\
background:${tones[tone]};color:#ffffff;font-size:13px;font-weight:600">${text}</span></p>
`;

function pictureOf({ title, versionNumber }: PicturedVersion, button: MailContent["button"]) {
  const shown = html`<img class="card" src="cid:${pictureId}" alt="${toOneLine(title)}, version ${versionNumber}" \
style="display:block;box-sizing:border-box;max-width:100%;height:auto;border:1px solid #e4e4df;border-radius:8px">`;
  return html`<p style="margin:0 0 20px">${button ? html`<a href="${button.url}">${shown}</a>` : shown}</p>
`;
}

const buttonOf = ({ text, url, tone }: NonNullable<MailContent["button"]>, own: Colors) =>
  html`<p style="margin:4px 0 20px"><a href="${url}" class="${tone ? "" : "plain"}" style="display:inline-block;\
padding:12px 24px;border-radius:8px;background:${tone ? tones[tone] : own.ground};color:${tone ? "#ffffff" : own.on};font-weight:600;\
text-decoration:none">${text}</a></p>
`;

/** Shows the button's full link, because some e-mail clients do not show buttons and some readers distrust them. */
const addressOf = (url: string) =>
  html`<p class="soft" style="${small}">Button not working? Copy this address:<br>\
<a class="soft" href="${url}" style="color:${ink.soft};word-break:break-all">${url}</a></p>
`;

const linkOf = ({ text, url }: NonNullable<MailContent["link"]>) =>
  html`<p class="soft" style="${small}"><a class="soft" href="${url}" style="color:${ink.soft}">${text}</a></p>
`;

function htmlOfPart(part: Part) {
  if ("paragraph" in part)
    return html`<p class="text" style="margin:0 0 20px;color:${ink.text}">${part.paragraph}</p>
`;
  if ("digits" in part)
    return html`<p class="sunk text" style="${block};font-size:38px;line-height:1.3;font-weight:700;\
letter-spacing:.18em;text-align:center;color:${ink.text}">${part.digits}</p>
`;
  if ("facts" in part)
    return html`<table role="presentation" style="margin:0 0 20px;border-collapse:collapse">
${part.facts.map(
  ([name, value]) =>
    html`<tr><td class="soft" style="padding:3px 24px 3px 0;vertical-align:top;white-space:nowrap;color:${ink.soft}">\
${name}</td><td class="text" style="padding:3px 0;color:${ink.text}">${value}</td></tr>\n`,
)}</table>
`;
  return html`<blockquote class="sunk text" style="${block};color:${ink.text}">\
${part.by === undefined ? "" : html`<strong>${part.by}</strong><br>`}${inLines(part.quote)}</blockquote>
`;
}

const inLines = (text: string) =>
  linesOf(text).map((line, index) => html`${index > 0 ? raw("<br>") : ""}${line}`);
