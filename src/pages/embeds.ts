import { insideOf, providers } from "./embed-providers.ts";

/**
 * How to embed a URL (contract P4). A provider is recognized by host and path, and the frame's URL is built from the
 * recognized parts. If other parts may identify content, the URL is shown as a link.
 */
interface Embed {
  provider: string;
  /** The URL to load in the frame. */
  src: string;
  /** What the embedded page may do besides running JavaScript in its own origin. */
  sandbox: string;
  /** The frame's Permissions-Policy. */
  allow: string;
  /** `strict-origin` for the only provider that needs a referrer to play. It gets our host, never the review's link. */
  referrerPolicy: "no-referrer" | "strict-origin";
}

/** Popups open as separate pages. Frames cannot navigate our page or start downloads. */
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

/** Returns how to embed a URL; null if it is shown as a link. */
export function embedOf(address: string): Embed | null {
  const url = URL.parse(address);
  if (url?.protocol !== "https:" || url.username || url.password) return null;
  const provider = providers.find(({ hosts }) => hosts.includes(url.host));
  const inside = provider && insideOf(provider, url);
  if (!provider || !inside) return null;
  return {
    provider: provider.name,
    src: provider.origin + inside,
    sandbox: sandboxes[provider.kind],
    allow: permissions[provider.kind],
    referrerPolicy: provider.name === "YouTube" ? "strict-origin" : "no-referrer",
  };
}
