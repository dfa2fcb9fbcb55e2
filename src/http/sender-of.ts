import ipaddr from "ipaddr.js";

/** The bits of an IPv6 address that identify its network: a customer gets at least a /64, and may use all of it. */
const networkGroups = 4;

/** The caller's address; an empty string if the platform does not provide it. */
export const addressOf = (headers: Headers): string => headers.get("cf-connecting-ip") ?? "";

/** The sender of a request: an IPv4 address, or the /64 of an IPv6 address; empty if the address is unknown. */
export function senderOf(headers: Headers): string {
  const address = addressOf(headers);
  if (!address.includes(":") || !ipaddr.isValid(address)) return address;
  // An IPv4 address may be mapped into IPv6.
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = parsed.parts.slice(0, networkGroups);
  return `${network.map((group) => group.toString(16)).join(":")}::/64`;
}
