import ipaddr from "ipaddr.js";

/** How much of an IPv6 address identifies its network: a customer gets at least a /64 and can use all of it. */
const networkGroups = 4;

/** Returns the caller's address; empty if the platform does not provide it. */
export const addressOf = (headers: Headers): string => headers.get("cf-connecting-ip") ?? "";

/** Returns the sender of a request: an IPv4 address, or the /64 of an IPv6 address. Empty if the address is unknown. */
export function senderOf(headers: Headers): string {
  const address = addressOf(headers);
  if (!address.includes(":") || !ipaddr.isValid(address)) return address;
  // An IPv4 address may be mapped into IPv6.
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = parsed.parts.slice(0, networkGroups);
  return `${network.map((group) => group.toString(16)).join(":")}::/64`;
}
