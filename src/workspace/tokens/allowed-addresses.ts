import ipaddr from "ipaddr.js";
import * as z from "zod";
import { listOf } from "../../contract/fields.ts";
import { limits } from "../../contract/limits.ts";

/** The addresses that a token may be used from (contract A22). An IPv4-mapped IPv6 address counts as IPv4. */

type Address = ipaddr.IPv4 | ipaddr.IPv6;

interface Range {
  address: Address;
  prefixBits: number;
}

const bitsOf = (address: Address): number => address.toByteArray().length * 8;

/** Parses strictly; `ipaddr.js` would also accept `1`, `0x7f.1`, octal parts and zones. */
function addressIn(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return !text.includes("%") && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

const withoutMapping = (address: Address): Address =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;

/** The bits before the IPv4 address in an IPv4-mapped IPv6 address. */
const mappedPrefixBits = 96;

function rangeIn(text: string): Range | undefined {
  const [, given = "", prefix] = /^([^/]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const written = addressIn(given);
  if (!written) return undefined;
  const bits = prefix === undefined ? bitsOf(written) : Number(prefix);
  if (bits > bitsOf(written)) return undefined;
  const address = withoutMapping(written);
  if (address === written) return { address, prefixBits: bits };
  // A range that includes other addresses than mapped ones is an IPv6 range.
  return bits < mappedPrefixBits
    ? { address: written, prefixBits: bits }
    : { address, prefixBits: bits - mappedPrefixBits };
}

/** Returns the same range, written with the network's address (all host bits 0). */
function networkOf({ address, prefixBits }: Range): Range {
  const cidr = `${address.toString()}/${prefixBits}`;
  const network =
    address instanceof ipaddr.IPv4
      ? ipaddr.IPv4.networkAddressFromCIDR(cidr)
      : ipaddr.IPv6.networkAddressFromCIDR(cidr);
  return { address: network, prefixBits };
}

/** Formats a range in its canonical form (RFC 5952). A range with only one address is written as that address. */
const textOf = ({ address, prefixBits }: Range): string =>
  prefixBits === bitsOf(address) ? address.toString() : `${address.toString()}/${prefixBits}`;

/** How much of an invalid entry an error repeats; every valid entry is shorter. */
const echoedCharacters = 50;

function problemOf(entries: readonly string[]): string | undefined {
  const { allowedAddresses: most } = limits;
  if (entries.length > most) return `must have at most ${most} items`;
  return entries.map(problemOfEntry).find((problem) => problem !== undefined);
}

function problemOfEntry(entry: string): string | undefined {
  const range = rangeIn(entry);
  if (!range) {
    const echo = entry.slice(0, echoedCharacters).toWellFormed();
    return `must be IPv4 or IPv6 addresses or CIDR ranges, not ${JSON.stringify(echo)}`;
  }
  const network = textOf(networkOf(range));
  return network === textOf(range) ? undefined : `has host bits set in ${entry}: the network is ${network}`;
}

const canonical = (entry: string): string => {
  const range = rangeIn(entry);
  return range ? textOf(range) : entry;
};

/** Converts entries to their canonical form, and removes duplicates. */
export const AllowedAddresses = listOf(z.string().trim())
  .superRefine((entries, context) => {
    const problem = problemOf(entries);
    if (problem) context.addIssue({ code: "custom", message: `allowed_ips ${problem}` });
  })
  .overwrite((entries) => [...new Set(entries.map(canonical))])
  .meta({
    description: "IPv4 or IPv6 addresses or CIDR ranges",
    maxItems: limits.allowedAddresses,
    example: ["203.0.113.7", "2001:db8::/32"],
  });

/** Converts an address to its canonical form; any other string is returned unchanged. */
export function canonicalAddress(text: string): string {
  const address = addressIn(text);
  return address ? withoutMapping(address).toString() : text;
}

/** Whether a token may be used from this address. Null allows every caller, even one without an address. */
export function isAllowedFrom(allowed: readonly string[] | null, address: string): boolean {
  if (allowed === null) return true;
  const caller = rangeIn(address)?.address;
  return caller !== undefined && allowed.some((entry) => contains(rangeIn(entry), caller));
}

const contains = (range: Range | undefined, caller: Address): boolean => {
  const [allowed, address] = [range?.address, caller];
  // The library can only compare addresses of the same kind.
  if (allowed instanceof ipaddr.IPv4 && address instanceof ipaddr.IPv4)
    return address.match(allowed, range?.prefixBits ?? 0);
  if (allowed instanceof ipaddr.IPv6 && address instanceof ipaddr.IPv6)
    return address.match(allowed, range?.prefixBits ?? 0);
  return false;
};
