/**
 * Which addresses of a work can be shown in a frame, and how. A provider is known by host and path; everything else is
 * shown as a link. The frame's address is put together from the parts that were recognized, never taken over whole.
 */
interface Embed {
  provider: string;
  /** The address inside the frame. */
  src: string;
  /** What the framed page may do beside running its own scripts in its own origin. */
  sandbox: string;
  /** Permissions-Policy of the frame. */
  allow: string;
  /** `strict-origin` for the one provider that plays nothing without a referrer: it learns our host, never the link. */
  referrerPolicy: "no-referrer" | "strict-origin";
}

interface Provider {
  name: string;
  hosts: readonly string[];
  /** The one origin that the frame loads; the pages' frame-src is derived from it. */
  origin: string;
  /** Path and query inside the frame, or undefined if the address is none that can be framed. */
  address(path: string, query: URLSearchParams): string | undefined;
  kind: "document" | "video" | "code";
}

/** Popups open as pages of their own. None may navigate our page or start a download. */
const sandboxes = {
  document: "allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox",
  video: "allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-presentation",
  code: "allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms",
} as const;

const permissions = {
  document: "fullscreen",
  video: "fullscreen; encrypted-media; picture-in-picture",
  code: "fullscreen",
} as const;

/** The groups of the first pattern that the path matches. */
const match = (path: string, ...patterns: readonly RegExp[]): string[] | undefined => {
  for (const pattern of patterns) {
    const found = pattern.exec(path);
    if (found) return found.slice(1);
  }
};

/** A query of the given parameters, those that have a value. */
const queryOf = (parameters: Record<string, string | null | undefined>): string => {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length > 0 ? `?${new URLSearchParams(given)}` : "";
};

/** A start time as YouTube writes it: seconds, `90s` or `1m30s`. */
function startSeconds(text: string | null): string | undefined {
  const [, hours, minutes, seconds] = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s?)?$/.exec(text ?? "") ?? [];
  const total = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return total > 0 ? String(total) : undefined;
}

const figmaHosts = ["figma.com", "www.figma.com", "embed.figma.com"];

/** Also takes the address that Figma offers for embedding: `/embed?url=`. */
function figmaAddress(path: string, query: URLSearchParams): string | undefined {
  const framed = path === "/embed" ? URL.parse(query.get("url") ?? "") : null;
  if (framed && framed.pathname !== "/embed" && figmaHosts.includes(framed.hostname))
    return figmaAddress(framed.pathname, framed.searchParams);
  const found = match(path, /^\/(file|design|proto|board|slides|deck)\/([0-9A-Za-z]{3,128})(?:\/.*)?$/);
  if (!found) return undefined;
  const kind = found[0] === "file" ? "design" : found[0];
  const kept = { "node-id": query.get("node-id"), "page-id": query.get("page-id") };
  const start = { "starting-point-node-id": query.get("starting-point-node-id") };
  return `/${kind}/${found[1]}${queryOf({ ...kept, ...start, "embed-host": "client-review" })}`;
}

export const providers: readonly Provider[] = [
  {
    name: "Figma",
    hosts: figmaHosts,
    origin: "https://embed.figma.com",
    kind: "document",
    address: figmaAddress,
  },
  {
    name: "YouTube",
    hosts: ["youtube.com", "www.youtube.com", "m.youtube.com", "youtu.be", "www.youtube-nocookie.com"],
    origin: "https://www.youtube-nocookie.com",
    kind: "video",
    address(path, query) {
      const inPath = match(path, /^\/(?:embed|shorts|live)\/([\w-]{11})\/?$/, /^\/([\w-]{11})$/)?.[0];
      const id = path === "/watch" ? query.get("v") : inPath;
      if (!id || !/^[\w-]{11}$/.test(id)) return undefined;
      return `/embed/${id}${queryOf({ start: startSeconds(query.get("t") ?? query.get("start")) })}`;
    },
  },
  {
    name: "Vimeo",
    hosts: ["vimeo.com", "www.vimeo.com", "player.vimeo.com"],
    origin: "https://player.vimeo.com",
    kind: "video",
    address(path, query) {
      const found = match(path, /^\/(?:video\/)?(\d{5,12})(?:\/([0-9a-f]{8,12}))?\/?$/);
      return found && `/video/${found[0]}${queryOf({ h: found[1] ?? query.get("h"), dnt: "1" })}`;
    },
  },
  {
    name: "Loom",
    hosts: ["loom.com", "www.loom.com"],
    origin: "https://www.loom.com",
    kind: "video",
    address(path) {
      const found = match(path, /^\/(?:share|embed)\/(?:[\w-]*-)?([0-9a-f]{32})\/?$/);
      return found && `/embed/${found[0]}`;
    },
  },
  {
    name: "Google Docs",
    hosts: ["docs.google.com"],
    origin: "https://docs.google.com",
    kind: "document",
    address(path) {
      const published = match(path, /^\/(document|presentation|spreadsheets)\/d\/e\/([\w-]{20,})(?:\/.*)?$/);
      if (published?.[0] === "presentation") return `/presentation/d/e/${published[1]}/embed`;
      if (published) return `/${published[0]}/d/e/${published[1]}/pub?embedded=true`;
      const found = match(path, /^\/(document|presentation|spreadsheets)\/d\/([\w-]{20,})(?:\/.*)?$/);
      return found && `/${found[0]}/d/${found[1]}/${found[0] === "presentation" ? "embed" : "preview"}`;
    },
  },
  {
    name: "Google Drive",
    hosts: ["drive.google.com"],
    origin: "https://drive.google.com",
    kind: "document",
    address(path) {
      const found = match(path, /^\/file\/d\/([\w-]{20,})(?:\/.*)?$/);
      return found && `/file/d/${found[0]}/preview`;
    },
  },
  {
    name: "Miro",
    hosts: ["miro.com", "www.miro.com"],
    origin: "https://miro.com",
    kind: "document",
    address(path) {
      const found = match(path, /^\/app\/(?:board|live-embed|embed)\/([\w-]{8,30}(?:=|%3D)?)\/?$/i);
      return found && `/app/live-embed/${found[0]}/`;
    },
  },
  {
    name: "CodePen",
    hosts: ["codepen.io", "www.codepen.io"],
    origin: "https://codepen.io",
    kind: "code",
    address(path) {
      const found = match(
        path,
        /^\/((?:team\/)?[\w-]{1,60})\/(?:pen|full|details|embed)\/([A-Za-z0-9]{5,32})\/?$/,
      );
      return found && `/${found[0]}/embed/${found[1]}?default-tab=result`;
    },
  },
  {
    name: "Canva",
    hosts: ["canva.com", "www.canva.com"],
    origin: "https://www.canva.com",
    kind: "document",
    address(path) {
      const found = match(path, /^\/design\/([\w-]{8,16})\/([\w-]{10,40})\/(?:view|watch)\/?$/);
      return found && `/design/${found[0]}/${found[1]}/view?embed`;
    },
  },
];

/** How to frame what is at an address, or null: then it is shown as a link. */
export function embedOf(address: string): Embed | null {
  if (!URL.canParse(address)) return null;
  const { protocol, username, password, port, hostname, pathname, searchParams } = new URL(address);
  if (protocol !== "https:" || username || password || port) return null;
  const provider = providers.find(({ hosts }) => hosts.includes(hostname));
  const inside = provider?.address(pathname, searchParams);
  if (!provider || !inside) return null;
  return {
    provider: provider.name,
    src: provider.origin + inside,
    sandbox: sandboxes[provider.kind],
    allow: permissions[provider.kind],
    referrerPolicy: provider.name === "YouTube" ? "strict-origin" : "no-referrer",
  };
}
