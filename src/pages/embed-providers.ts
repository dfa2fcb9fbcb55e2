/** The providers whose content can be embedded, and the parts of a URL that identify the content (contract P4). */

interface Provider {
  name: string;
  hosts: readonly string[];
  /** The only origin that the frame loads. The pages' frame-src is derived from it. */
  origin: string;
  /** Returns the path, query and fragment to load in the frame, or undefined if the URL cannot be embedded. */
  address(path: string, take: Take): string | undefined;
  /** Parameters that don't identify content, such as who shared it or how the provider's own page looks. */
  ignores: readonly string[];
  kind: "document" | "video" | "code";
}

/**
 * Reads a parameter, which may have several names: `?t` in the query, `#t` in the fragment. If a value doesn't match
 * the pattern, or two values differ, the URL is shown as a link.
 */
type Take = (pattern: RegExp, ...names: readonly string[]) => string | undefined;

/** Tracking parameters. */
const campaign = /^\?(?:utm.*|fbclid|gclid)$/;

/** Returns what to load in the frame, provided that this keeps every part of the URL that identifies content. */
export function insideOf(
  { address, ignores }: Provider,
  { pathname, searchParams, hash }: URL,
): string | undefined {
  const fragment = new URLSearchParams(hash.slice(1));
  const given = [
    ...[...searchParams].map(([name, value]) => [`?${name}`, value] as const),
    ...[...fragment].map(([name, value]) => [`#${name}`, value] as const),
  ];
  const known = new Set(ignores.map((name) => `?${name}`));
  let isUnclear = false;
  const inside = address(pathname, (pattern, ...names) => {
    for (const name of names) known.add(name);
    const values = given.flatMap(([name, value]) => (names.includes(name) && value !== "" ? [value] : []));
    const [first, ...others] = new Set(values);
    isUnclear ||= others.length > 0 || (first !== undefined && !pattern.test(first));
    return first;
  });
  const isKept = given.every(([name]) => known.has(name) || campaign.test(name));
  return isKept && !isUnclear ? inside : undefined;
}

/** Returns the capture groups of the first pattern that the path matches. */
const match = (path: string, ...patterns: readonly RegExp[]): string[] | undefined => {
  for (const pattern of patterns) {
    const found = pattern.exec(path);
    if (found) return found.slice(1);
  }
};

/** Builds a query from the parameters that have a value. */
const queryOf = (parameters: Record<string, string | undefined>): string => {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return given.length > 0 ? `?${new URLSearchParams(given)}` : "";
};

/** A start time, as a number of seconds, `90s` or `1m30s`. */
const startTime = /^(?=\d)(?:(\d{1,3})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s?)?$/;

function secondsIn(time: string | undefined): string | undefined {
  const [, hours, minutes, seconds] = startTime.exec(time ?? "") ?? [];
  const total = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return total > 0 ? String(total) : undefined;
}

const figmaNode = /^[\w:;-]{1,100}$/;

/**
 * A branch, `/branch/…` after the file's path, cannot be embedded. It is shown as a link, even if its key is missing.
 */
function figmaAddress(path: string, take: Take): string | undefined {
  const found = match(
    path,
    /^\/(file|design|proto|board|slides|deck)\/([0-9A-Za-z]{3,128})(?:\/(?!branch\/?$)(?:(?!%2f|%5c)[^/])*)?\/?$/i,
  );
  if (!found) return undefined;
  const kind = found[0] === "file" ? "design" : found[0];
  const kept = Object.fromEntries(
    ["node-id", "page-id", "starting-point-node-id"].map((name) => [name, take(figmaNode, `?${name}`)]),
  );
  return `/${kind}/${found[1]}${queryOf({ ...kept, "embed-host": "client-review" })}`;
}

const resourceKey = /^[\w-]{1,100}$/;
const googleIgnores = ["usp", "authuser", "ouid", "rtpof", "sd", "pli", "hl"];
const videoIgnores = ["autoplay", "muted", "loop"];

const figma: Provider = {
  name: "Figma",
  hosts: ["figma.com", "www.figma.com", "embed.figma.com"],
  origin: "https://embed.figma.com",
  kind: "document",
  ignores: [
    ...["t", "type", "mode", "m", "p", "fuid", "embed_host", "embed-host", "client-id", "viewport", "theme"],
    ...[
      "scaling",
      "content-scaling",
      "hide-ui",
      "hotspot-hints",
      "device-frame",
      "show-proto-sidebar",
      "footer",
    ],
    ...["page-selector", "viewport-controls"],
  ],
  /** Also accepts Figma's former embed URL, `/embed?url=`. */
  address(path, take) {
    if (path !== "/embed") return figmaAddress(path, take);
    const framed = URL.parse(take(/^https:/i, "?url") ?? "");
    return framed && framed.pathname !== "/embed" && figma.hosts.includes(framed.host)
      ? insideOf(figma, framed)
      : undefined;
  },
};

export const providers: readonly Provider[] = [
  figma,
  {
    name: "YouTube",
    hosts: ["youtube.com", "www.youtube.com", "m.youtube.com", "youtu.be", "www.youtube-nocookie.com"],
    origin: "https://www.youtube-nocookie.com",
    kind: "video",
    ignores: [
      ...videoIgnores,
      "si",
      "feature",
      "pp",
      "ab_channel",
      "app",
      "rel",
      "controls",
      "mute",
      "playsinline",
    ],
    address(path, take) {
      const inPath = match(path, /^\/(?:embed|shorts|live)\/([\w-]{11})\/?$/, /^\/([\w-]{11})$/)?.[0];
      const id = path === "/watch" ? take(/^[\w-]{11}$/, "?v") : inPath;
      const start = secondsIn(take(startTime, "?t", "?start", "#t"));
      return id && `/embed/${id}${queryOf({ start, end: take(/^\d{1,6}$/, "?end") })}`;
    },
  },
  {
    name: "Vimeo",
    hosts: ["vimeo.com", "www.vimeo.com", "player.vimeo.com"],
    origin: "https://player.vimeo.com",
    kind: "video",
    ignores: [
      ...[...videoIgnores, "share", "fl", "fe", "dnt", "title", "byline", "portrait", "badge", "color"],
      ...["autopause", "player_id", "app_id"],
    ],
    address(path, take) {
      const [id, inPath] = match(path, /^\/(?:video\/)?(\d{5,12})(?:\/([0-9a-f]{8,12}))?\/?$/) ?? [];
      const h = take(inPath ? new RegExp(`^${inPath}$`) : /^[0-9a-f]{8,12}$/, "?h") ?? inPath;
      const start = secondsIn(take(startTime, "#t"));
      return id && `/video/${id}${queryOf({ h, dnt: "1" })}${start ? `#t=${start}s` : ""}`;
    },
  },
  {
    name: "Loom",
    hosts: ["loom.com", "www.loom.com"],
    origin: "https://www.loom.com",
    kind: "video",
    ignores: [...videoIgnores, "sid", "hide_owner", "hide_share", "hide_title", "hideEmbedTopBar"],
    address(path, take) {
      const found = match(path, /^\/(?:share|embed)\/(?:[\w-]*-)?([0-9a-f]{32})\/?$/);
      return found && `/embed/${found[0]}${queryOf({ t: secondsIn(take(startTime, "?t")) })}`;
    },
  },
  {
    name: "Google Docs",
    hosts: ["docs.google.com"],
    origin: "https://docs.google.com",
    kind: "document",
    ignores: [...googleIgnores, "embedded", "start", "loop", "delayms", "rm", "widget", "headers", "chrome"],
    address(path, take) {
      const [kind, published, id] =
        match(
          path,
          /^\/(document|presentation|spreadsheets)\/d\/(e\/)?([\w-]{20,})(?:\/(?:edit|view|preview|embed|pub|pubhtml|htmlview|present|mobilebasic)?)?$/,
        ) ?? [];
      const resourcekey = take(resourceKey, "?resourcekey");
      switch (kind) {
        case "document": {
          const kept = { tab: take(/^t\.\w{1,50}$/, "?tab", "#tab"), resourcekey };
          return published
            ? `/document/d/e/${id}/pub${queryOf({ embedded: "true", ...kept })}`
            : `/document/d/${id}/preview${queryOf(kept)}`;
        }
        case "presentation": {
          const slide = take(/^(?:id\.)?\w{1,100}$/, "?slide", "#slide");
          return `/presentation/d/${published ?? ""}${id}/embed${queryOf({ slide, resourcekey })}`;
        }
        case "spreadsheets": {
          const gid = take(/^\d{1,20}$/, "?gid", "#gid");
          const single = take(/^(?:true|false)$/, "?single");
          return published
            ? `/spreadsheets/d/e/${id}/pub${queryOf({ embedded: "true", gid, single, resourcekey })}`
            : `/spreadsheets/d/${id}/preview${queryOf({ gid, resourcekey })}${gid ? `#gid=${gid}` : ""}`;
        }
        default:
          return undefined;
      }
    },
  },
  {
    name: "Google Drive",
    hosts: ["drive.google.com"],
    origin: "https://drive.google.com",
    kind: "document",
    ignores: googleIgnores,
    address(path, take) {
      const found = match(path, /^\/file\/d\/([\w-]{20,})(?:\/(?:view|edit|preview)?)?$/);
      const kept = { resourcekey: take(resourceKey, "?resourcekey") };
      return found && `/file/d/${found[0]}/preview${queryOf(kept)}`;
    },
  },
  {
    name: "Miro",
    hosts: ["miro.com", "www.miro.com"],
    origin: "https://miro.com",
    kind: "document",
    ignores: ["share_link_id", "track", "embedMode", "embedId", "autoplay"],
    address(path, take) {
      const found = match(path, /^\/app\/(?:board|live-embed|embed)\/([\w-]{8,30}(?:=|%3D)?)\/?$/i);
      const kept = {
        moveToWidget: take(/^\d{1,30}$/, "?moveToWidget"),
        moveToViewport: take(/^[-\d.,]{1,100}$/, "?moveToViewport"),
      };
      return found && `/app/live-embed/${found[0]}/${queryOf(kept)}`;
    },
  },
  {
    name: "CodePen",
    hosts: ["codepen.io", "www.codepen.io"],
    origin: "https://codepen.io",
    kind: "code",
    ignores: ["editors", "theme-id", "height"],
    address(path, take) {
      const found = match(
        path,
        /^\/((?:team\/)?[\w-]{1,60})\/(?:pen|full|details|embed)\/([A-Za-z0-9]{5,32})\/?$/,
      );
      const tab = take(/^[a-z]+(?:,[a-z]+)?$/, "?default-tab") ?? "result";
      return found && `/${found[0]}/embed/${found[1]}${queryOf({ "default-tab": tab })}`;
    },
  },
  {
    name: "Canva",
    hosts: ["canva.com", "www.canva.com"],
    origin: "https://www.canva.com",
    kind: "document",
    ignores: ["utlId", "embed"],
    address(path) {
      const found = match(path, /^\/design\/([\w-]{8,16})\/([\w-]{10,40})\/(?:view|watch)\/?$/);
      return found && `/design/${found[0]}/${found[1]}/view?embed`;
    },
  },
];
