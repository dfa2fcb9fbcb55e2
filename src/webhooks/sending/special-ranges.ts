import ipaddr from "ipaddr.js";

/**
 * Whether a string is the IP address (dotted IPv4, or IPv6) of a host on the public internet. `range()` covers
 * IANA's special-purpose registries. IPv6 addresses are allocated only from 2000::/3 (RFC 4291), and 3ffe::/16
 * was returned (6bone, RFC 3701).
 */
export function isPublicAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).range() === "unicast";
  if (!ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.IPv6.parse(text);
  const isIn = (network: string) => address.match(ipaddr.IPv6.parseCIDR(network));
  return address.range() === "unicast" && isIn("2000::/3") && !isIn("3ffe::/16");
}

/** Whether a string is an address in 127.0.0.0/8 or ::1. */
export function isLoopbackAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text).range() === "loopback";
  return ipaddr.IPv6.isValid(text) && ipaddr.IPv6.parse(text).range() === "loopback";
}
