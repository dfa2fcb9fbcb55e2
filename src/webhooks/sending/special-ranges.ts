import ipaddr from "ipaddr.js";

/**
 * The addresses that no receiver on the public internet has: the IANA special-purpose registries for IPv4 and IPv6
 * (RFC 6890 and what was registered since), multicast, and the transition prefixes that carry an IPv4 address.
 * Whole blocks, without the few globally reachable anycast addresses inside them: those serve no HTTP.
 */
const specialRanges = {
  "0.0.0.0/8": "this network, RFC 791",
  "10.0.0.0/8": "private use, RFC 1918",
  "100.64.0.0/10": "carrier-grade NAT, RFC 6598",
  "127.0.0.0/8": "loopback, RFC 1122",
  "169.254.0.0/16": "link-local and cloud metadata, RFC 3927",
  "172.16.0.0/12": "private use, RFC 1918",
  "192.0.0.0/24": "IETF protocol assignments, RFC 6890",
  "192.0.2.0/24": "documentation, RFC 5737",
  "192.31.196.0/24": "AS112, RFC 7535",
  "192.52.193.0/24": "AMT, RFC 7450",
  "192.88.99.0/24": "6to4 relay anycast, RFC 7526",
  "192.168.0.0/16": "private use, RFC 1918",
  "192.175.48.0/24": "AS112, RFC 7534",
  "198.18.0.0/15": "benchmarking, RFC 2544",
  "198.51.100.0/24": "documentation, RFC 5737",
  "203.0.113.0/24": "documentation, RFC 5737",
  "224.0.0.0/4": "multicast, RFC 5771",
  "240.0.0.0/4": "reserved and limited broadcast, RFC 1112 and RFC 919",

  "::/128": "unspecified, RFC 4291",
  "::1/128": "loopback, RFC 4291",
  "::/96": "IPv4-compatible, RFC 4291",
  "::ffff:0:0/96": "IPv4-mapped, RFC 4291",
  "::ffff:0:0:0/96": "IPv4-translated, RFC 2765",
  "64:ff9b::/96": "NAT64, RFC 6052",
  "64:ff9b:1::/48": "local-use NAT64, RFC 8215",
  "100::/64": "discard-only, RFC 6666",
  "100:0:0:1::/64": "dummy prefix, RFC 9780",
  "2001::/23": "IETF protocol assignments: Teredo, benchmarking, ORCHID, DRIP, RFC 2928",
  "2001:db8::/32": "documentation, RFC 3849",
  "2002::/16": "6to4, RFC 3056",
  "2620:4f:8000::/48": "AS112, RFC 7534",
  "3ffe::/16": "6bone, returned, RFC 3701",
  "3fff::/20": "documentation, RFC 9637",
  "5f00::/16": "segment routing, RFC 9602",
  "fc00::/7": "unique local, RFC 4193",
  "fe80::/10": "link-local, RFC 4291",
  "fec0::/10": "site-local, RFC 3879",
  "ff00::/8": "multicast, RFC 4291",

  // Global unicast is given out only from 2000::/3 (RFC 4291): the rest is nobody's.
  "::/3": "not allocated",
  "4000::/2": "not allocated",
  "8000::/1": "not allocated",
} as const;

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Parsed at the first question, so that starting the Worker costs nothing. */
let parsed: { ipv4: Range[]; ipv6: Range[] } | undefined;

function parsedRanges() {
  if (!parsed) {
    const ranges = Object.keys(specialRanges).map((text) => ipaddr.parseCIDR(text));
    parsed = {
      ipv4: ranges.filter(([network]) => network.kind() === "ipv4"),
      ipv6: ranges.filter(([network]) => network.kind() === "ipv6"),
    };
  }
  return parsed;
}

/** Whether a text is an IP address (IPv4 in four decimal parts, or IPv6) outside every special-purpose range. */
export function isPublicAddress(text: string): boolean {
  const isIpv4 = ipaddr.IPv4.isValidFourPartDecimal(text);
  if (!isIpv4 && !ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.parse(text);
  return !parsedRanges()[address.kind()].some((range) => address.match(range));
}

/** Whether a text is one of 127.0.0.0/8 or ::1. */
export function isLoopbackAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).range() === "loopback";
  return ipaddr.IPv6.isValid(text) && ipaddr.IPv6.parse(text).range() === "loopback";
}
