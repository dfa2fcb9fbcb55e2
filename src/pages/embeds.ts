import { insideOf, providers } from "./embed-providers.ts";

/**
 * Which addresses can be shown in a frame, and how (contract P4). A provider is recognized by host and path.
 * The frame's address is built from the recognized parts and never copied; if a part that may identify other
 * content would be lost, the address remains a link.
 */
interface Embed {
  provider: string;
  /** The address inside the frame. */
  src: string;
  /** What the framed page may do besides running its own scripts in its own origin. */
  sandbox: string;
  /** The frame's Permissions-Policy. */
  allow: string;
  /** `strict-origin` for the one provider that does not play without a referrer: it gets our host, never the link. */
  referrerPolicy: "no-referrer" | "strict-origin";
}

/** Popups open as separate pages. None may navigate our page or start a download. */
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

/** How to frame the content of an address; null: it is shown as a link. */
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
