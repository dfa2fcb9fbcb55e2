import { env, exports } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { stopClock } from "./clock.ts";
import { derivedUuid } from "./derived-uuid.ts";
import { baseUrl } from "./partner.ts";

/** Compares pages with reviewed, approved files. `npx vitest run test/pages -u` rewrites the files; review the diff. */

const now = "2026-03-01T12:00:10.000Z";
const prepare = env.DB.prepare.bind(env.DB);

/** Stops the clock in the Worker and in its statements, but not in column defaults and triggers. */
export function stopClocks(): void {
  stopClock(now);
  vi.spyOn(env.DB, "prepare").mockImplementation((sql) => prepare(sql.replaceAll("'now'", `'${now}'`)));
}

/** Ids and secrets chosen by tests, and the names that replace them in approved files. */
const named = new Map<string, string>();

/** A row id derived from a name. */
export function idOf(name: string): string {
  const id = derivedUuid("approved page", name);
  named.set(id, name);
  return id;
}

/** A review link's token. Approved files contain only its name. */
export const shareTokenOf = (name: string): string => name.padEnd(32, "-");

const shareTokens = /(?<=\/review\/)([\w-]{32})(?![\w-])/g;

/** A secret derived from a name. Approved files contain only the name. */
export function secretOf(name: string): string {
  const secret = name.replaceAll(" ", "-").padEnd(43, "-");
  named.set(secret, name);
  return secret;
}

const random: readonly [name: string, pattern: RegExp][] = [
  ["id", /\b[0-9a-f]{8}-[0-9a-f]{4}-\d[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g],
  ["token", /\bsvc_[0-9a-f]{36}\b/g],
  ["secret", /\bwhsec_[\w+/=]+/g],
  ["proof", /\b[\w-]+\.[\w-]{100,}\.[\w-]{86}\b/g],
  ["key", /(?<![\w-])[\w-]{43}(?![\w-])/g],
];

function labeled(text: string): string {
  let labeled = text.replaceAll(shareTokens, (token) => token.replace(/-+$/, ""));
  for (const [name, pattern] of random) {
    const seen: string[] = [];
    labeled = labeled.replaceAll(pattern, (found) => {
      const given = named.get(found);
      if (given === undefined && !seen.includes(found)) seen.push(found);
      return `[${given ?? `${name} ${seen.indexOf(found) + 1}`}]`;
    });
  }
  return labeled;
}

const withinLines = "a|b|bdi|br|code|img|progress|small|span|strong|svg|time|wbr";
const ends =
  "button|caption|dd|dt|figcaption|h\\d|iframe|label|legend|li|line|option|p|pre|progress|rect|script|span|" +
  "summary|t[dh]|text|textarea|title";

const breaks = [
  new RegExp(`(?<=>)(?=<(?!/?(?:${withinLines})\\b|/(?:${ends})\\b))`, "g"),
  /(?<=<\/\w+>|\/>)(?=<\w)/g,
];

/** Puts each block element on a separate line. */
export const onSeparateLines = (html: string): string =>
  breaks.reduce((text, place) => text.replaceAll(place, "\n"), html);

const page = new RegExp(
  "^(<!doctype html><html[^>]*><head>.*?)<title>(.*?)</title>(.*?)(<script.*?</script>)?(</head>)<body(.*?)>" +
    '(<a class="skip-link".*?</a>)(.*?)(<main[^>]*>)(.*?)</main>(?:<footer(.*?)</footer>)?(</body></html>)$',
  "s",
);
/** The parts of the settings layout that vary: workspace, slug, user and current page. */
const variableParts = [
  /(?<=class="mark"[^>]*>)[^<]*/g,
  /(?<=<bdi>)[^<]*/g,
  /(?<="\/settings\/)[^/"]+/g,
  /(?<=<small>)[^<]*/g,
  /(?<=class="avatar )[^>]*>[^<]*/g,
];

interface ParsedPage {
  head: string[];
  /** The parts that all pages share. */
  shell: string;
  /** The header that all settings pages share, without the parts that vary. */
  frame: string;
  header: string;
  /** Null if the response is not a page. */
  own: { title: string; script: string; body: string; main: string; footer: string } | null;
  /** The parts of the layout that vary: the current section, the workspace and the user. */
  place: string;
  text: string;
}

const perRequest = ["date", "server-timing", "x-request-id", "content-length"];

const headOf = ({ headers }: Response): string[] =>
  [...headers]
    .filter(([name]) => !perRequest.includes(name))
    .flatMap(([name, value]) => {
      const values = name === "content-security-policy" ? value.split("; ") : [value];
      return values.map((one) => `${name}: ${one}`);
    });

async function parsePage(answer: Response): Promise<ParsedPage> {
  const isText = !answer.headers.get("content-type")?.startsWith("image/");
  const text = isText ? withoutDrawings(await answer.text()) : "";
  const head = headOf(answer);
  const [
    whole,
    start = "",
    title = "",
    links = "",
    script = "",
    end = "",
    body = "",
    before = "",
    header = "",
    ...rest
  ] = page.exec(text) ?? [];
  const [main = "", content = "", footer = "", last = ""] = rest;
  if (whole === undefined) return { head, shell: "", frame: "", header: "", own: null, place: "", text };
  const [, open = ""] = /aria-current="page">(?:<svg[^>]*>)?([^<]*)/.exec(header) ?? [];
  const bare = header.replace(' aria-current="page"', "");
  const frame = variableParts.reduce((text, pattern) => text.replaceAll(pattern, "…"), bare);
  const place = [open, ...variableParts.slice(0, 3).map((pattern) => new Set(bare.match(pattern)))];
  return {
    head,
    shell: [start, links, end, before, last].join("…"),
    frame,
    header,
    own: { title, script, body, main: `${main}${content}`, footer },
    place: place.map((found) => [...found].join("")).join(", "),
    text,
  };
}

/** Removes the drawings of the Lucide icons but keeps their names. */
const withoutDrawings = (html: string): string =>
  html
    .replaceAll(/<svg class="icon"[^>]*data-icon="(\w+)">.*?<\/svg>/gs, '<svg class="icon" data-icon="$1"/>')
    .replaceAll(/(<svg class="qr"[^>]*>).*?(<\/svg>)/gs, "$1$2");

let shell: ParsedPage;
let settings: ParsedPage | undefined;

/** Sets example pages for the shared layout and the settings layout, which approved files leave out. */
export async function setFrames(plain: Response, ofSettings?: Response): Promise<void> {
  shell = await parsePage(plain);
  settings = ofSettings && (await parsePage(ofSettings));
}

const patterns = {
  actions: /<(?:div|form) class="actions".*?<\/(?:div|form)>/,
  alert: /<(?:div|p)[^>]* role="alert">.*?<\/(?:div|p)>/,
  banner: /<div class="note.*?<\/div><\/div>/,
  boxes: /<input[^>]*type="checkbox"[^>]*>/,
  content: /(?<=<main[^>]*>).*(?=<\/main>)/,
  conversation: /<section class="talk".*?<\/section>/,
  details: /<details.*?<\/details>/,
  empty: /<section class="card empty">.*?<\/section>/,
  facts: /<h1.*?<\/dl>/,
  fields: /<div class="field">.*?<\/div>/,
  footer: /<footer.*?<\/footer>/,
  form: /<form.*?<\/form>/,
  forms: /<section class="(?:say|decide|moment)".*?<\/section>/,
  found:
    /<section class="card flush" aria-label="Found"[^>]*>.*?<\/section>|<section class="card empty">.*?<\/section>/,
  header: /<header.*?<\/header>/,
  heading: /<h1.*?<\/h1>/,
  hidden: /<input type="hidden"[^>]*>/,
  inputs: /<input[^>]*>|<textarea[^>]*>/,
  newest: /<section class="card flush" aria-labelledby="newest-heading">.*?<\/section>/,
  outcome: /<div class="stack" data-live.*?(?=<figure)/,
  pager: /<nav class="pager".*?<\/nav>/,
  paragraphs: /<p>.*?<\/p>/,
  side: /<nav class="side".*?<\/nav>/,
  "sign-off": /<section class="(?:decide|moment)".*?<\/section>/,
  small: /<small.*?<\/small>/,
  textarea: /<textarea.*?<\/textarea>/,
  title: /<title>.*?<\/title>/,
  top: /<div class="head">.*?<\/div><\/div>/,
  under: /<ul class="key">.*?<\/ul>/,
  work: /<section class="stage.*?<\/section>/,
  "title block": /<header class="about">.*?<\/header>/,
} as const;
export type Part = keyof typeof patterns;

const pattern = (names: readonly Part[]) =>
  new RegExp(names.map((name) => patterns[name].source).join("|"), "gs");

/** The page's parts with these names, in page order, followed by the names of missing parts. */
const partsOf = (text: string, names: readonly Part[]): string[] =>
  names.length === 0
    ? []
    : [
        ...(text.match(pattern(names)) ?? []),
        ...names.filter((name) => !pattern([name]).test(text)).map((name) => `(no ${name})`),
      ];

/** A response in an approved file: everything that differs from the shared layout. */
async function approvedText(request: string, answer: Response, only?: readonly Part[]): Promise<string> {
  const seen = await parsePage(answer);
  const usual = /^\S+ \/settings\//.test(request) && settings ? settings.head : shell.head;
  const head = [
    `${request} → ${answer.status}`,
    ...seen.head.filter((line) => !usual.includes(line)),
    ...usual
      .filter((line) => !seen.head.includes(line) && (seen.text !== "" || !line.startsWith("content-type")))
      .map((line) => `without ${line}`),
  ];
  const comment = `<!-- ${head.join("\n     ")} -->`;
  if (only) return [comment, ...partsOf(seen.text, only)].join("\n");
  const { own } = seen;
  if (own === null || seen.shell !== shell.shell) return [comment, seen.text].join("\n").trim();
  const isUsual = seen.frame === settings?.frame;
  return [
    comment,
    `<title>${own.title}</title>${own.script}`,
    `<body${own.body}>`,
    isUsual ? `<!-- the settings' frame: ${seen.place} -->` : seen.header,
    own.main,
    ...(own.footer ? [`<footer${own.footer}</footer>`] : []),
  ]
    .filter((line) => line !== "")
    .join("\n");
}

interface PageRequest {
  method?: "GET" | "POST" | "HEAD" | "DELETE";
  cookie?: string;
  fields?: Record<string, string> | [string, string][];
  headers?: Record<string, string>;
  base?: string;
}

/** Opens a page, or posts a form with a browser's headers. */
export function fetchPage(
  path: string,
  { method, cookie, fields, headers, base = baseUrl }: PageRequest = {},
) {
  const form = { origin: "null", "sec-fetch-site": "same-origin" };
  const address = path.replace(/(?<=^\/review\/)[\w-]+/, shareTokenOf);
  return exports.default.fetch(`${base}${address}`, {
    method: method ?? (fields ? "POST" : "GET"),
    redirect: "manual",
    headers: {
      "cf-connecting-ip": crypto.randomUUID(),
      ...(fields && form),
      ...(cookie && { cookie }),
      ...headers,
    },
    ...(fields && { body: new URLSearchParams(fields) }),
  });
}

const used = new Set<string>();

export type Step = [path: string, options?: PageRequest & { answer?: Response; only?: readonly Part[] }];

/** An approved file with requests and their responses, in order. */
export class Approved {
  readonly #texts: string[] = [];
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** `only` names the parts of the page to include. */
  async add(...[path, options = {}]: Step): Promise<void> {
    const { answer, only, ...how } = options;
    const request = `${how.method ?? (how.fields ? "POST" : "GET")} ${path}`;
    this.#texts.push(
      onSeparateLines(await approvedText(request, answer ?? (await fetchPage(path, how)), only)),
    );
  }

  text(text: string): void {
    this.#texts.push(text);
  }

  async isApproved(): Promise<void> {
    const path = `approved/${this.#name}.html`;
    used.add(path);
    const text = labeled(this.#texts.join("\n\n"));
    await expect(`${text}\n`).toMatchFileSnapshot(`../pages/${path}`);
  }
}

export async function approve(name: string, ...steps: readonly Step[]): Promise<void> {
  const file = new Approved(name);
  for (const step of steps) await file.add(...step);
  await file.isApproved();
}

/** Approves the shared layout, using one page as the example. */
export async function approveFrame(name: string, answer: Response): Promise<void> {
  const file = new Approved(name);
  file.text(headOf(answer).join("\n"));
  const text = withoutDrawings(await answer.text());
  file.text(onSeparateLines(text.replace(/(?<=<main[^>]*>).*(?=<\/main>)/s, "…")));
  await file.isApproved();
}

/** Approved files that no test used, because their pages no longer exist. */
export const unused = (files: readonly string[]): string[] =>
  files.filter((file) => ![...used].some((path) => file.endsWith(path)));
