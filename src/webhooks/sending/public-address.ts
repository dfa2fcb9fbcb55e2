import { isSafeAddress } from "../../contract/characters.ts";
import type { Resolver, TargetOptions } from "../../platform/resolver.ts";
import { blockedPorts } from "./blocked-ports.ts";
import { isLoopbackAddress, isPublicAddress } from "./special-ranges.ts";

/**
 * Webhooks are sent only to HTTPS URLs without credentials, on hosts with only public addresses (contract W21-W23). A
 * URL is checked at registration and before every attempt, and is refused if it cannot be checked.
 */
export type TargetRefusal =
  | "invalid_url"
  | "not_https"
  | "credentials_in_url"
  | "blocked_port"
  | "not_public"
  | "unresolved";

/**
 * `url` is the normalized URL that was checked. Fetch exactly this URL, so that no other parser can read it
 * differently.
 */
export type TargetVerdict = { ok: true; url: string } | { ok: false; reason: TargetRefusal };

/** Suffixes of local networks (RFC 6761, 6762 appendix G, 8375; ICANN reserved `internal`). */
const localSuffixes = [
  "localhost",
  "localdomain",
  "local",
  "internal",
  "home.arpa",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
];

/** Checks a URL. Never throws: if the resolver fails, the URL is refused as `unresolved`. */
export async function checkTarget(text: string, options: TargetOptions): Promise<TargetVerdict> {
  const url = isSafeAddress(text) ? URL.parse(text) : null;
  if (!url) return { ok: false, reason: "invalid_url" };
  const host = hostOf(url);
  const local = options.allowLocal && (host === "localhost" || isLoopbackAddress(host));
  const reason =
    refusalOfForm(url, local) ?? (local ? undefined : await refusalOfHost(host, options.resolve));
  if (reason) return { ok: false, reason };
  url.hostname = withoutDot(url);
  return { ok: true, url: url.href };
}

/** Drops a fully qualified name's trailing dot, so that a host has only one spelling. */
const withoutDot = (url: URL): string => url.hostname.replace(/\.$/, "");

/** Returns the host's name, without the brackets of IPv6. */
export const hostOf = (url: URL): string => withoutDot(url).replace(/^\[(.*)\]$/, "$1");

function refusalOfForm(url: URL, local: boolean): TargetRefusal | undefined {
  if (url.protocol !== "https:" && !(local && url.protocol === "http:")) return "not_https";
  if (url.hostname === "") return "invalid_url";
  if (url.username !== "" || url.password !== "") return "credentials_in_url";
  if (url.port !== "" && blockedPorts.has(Number(url.port))) return "blocked_port";
  return undefined;
}

async function refusalOfHost(host: string, resolve: Resolver): Promise<TargetRefusal | undefined> {
  if (isAddress(host)) return isPublicAddress(host) ? undefined : "not_public";
  if (!isPublicName(host)) return "not_public";
  try {
    const addresses = await resolve(host);
    if (addresses.length === 0) return "unresolved";
    return addresses.every(isPublicAddress) ? undefined : "not_public";
  } catch {
    return "unresolved";
  }
}

/** The URL parser has normalized IPv4 addresses to four decimal parts, and no host name ends in a number. */
const isAddress = (host: string): boolean => host.includes(":") || /^[0-9.]+$/.test(host);

function isPublicName(host: string): boolean {
  const labels = host.split(".");
  if (labels.length < 2 || labels.some((label) => label === "")) return false;
  return !localSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}
