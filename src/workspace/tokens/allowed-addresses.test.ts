import { expect, it } from "vitest";
import { AllowedAddresses, isAllowedFrom } from "./allowed-addresses.ts";

const problemIn = (entries: string[]) => AllowedAddresses.safeParse(entries).error?.issues[0]?.message;

it.each([
  ["203.0.113.7", "203.0.113.7"],
  [" 203.0.113.7/32 ", "203.0.113.7"],
  ["203.0.113.0/24", "203.0.113.0/24"],
  ["0.0.0.0/0", "0.0.0.0/0"],
  ["2001:0DB8:0:0:0:0:0:1", "2001:db8::1"],
  ["2001:DB8::/32", "2001:db8::/32"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.0/120", "203.0.113.0/24"],
  ["::/0", "::/0"],
])("stores %j as %s [A22]", (entry, canonical) => {
  expect(AllowedAddresses.parse([entry, entry])).toEqual([canonical]);
});

it.each([
  ["203.0.113.7/24", "203.0.113.0/24"],
  ["2001:db8::1/64", "2001:db8::/64"],
  ["::ffff:203.0.113.7/120", "203.0.113.0/24"],
  ["::ffff:0:0/90", "::ffc0:0:0/90"],
])("rejects %s, which has host bits set, and suggests %s [A22]", (entry, network) => {
  expect(problemIn(["198.51.100.1", entry])).toBe(
    `allowed_ips has host bits set in ${entry}: the network is ${network}`,
  );
});

it.each([
  ...["", "localhost", "1", "0x7f.0.0.1", "010.0.0.1", "203.0.113", "203.0.113.256", "203.0.113.0/33"],
  ...["203.0.113.0/", "203.0.113.0/08", "203.0.113.0/255.255.255.0", "fe80::1%eth0", "2001:db8::/129"],
])("rejects %j, which is not an address [A22]", (entry) => {
  expect(problemIn([entry])).toBe(
    `allowed_ips must be IPv4 or IPv6 addresses or CIDR ranges, not ${JSON.stringify(entry)}`,
  );
});

it.each([
  [["203.0.113.7"], "203.0.113.7", true],
  [["203.0.113.7"], "203.0.113.8", false],
  [["203.0.113.7"], "::ffff:203.0.113.7", true],
  [["203.0.113.0/24", "2001:db8::/32"], "203.0.113.255", true],
  [["203.0.113.0/24", "2001:db8::/32"], "2001:db8:1::1", true],
  [["203.0.113.0/24", "2001:db8::/32"], "2001:db9::1", false],
  [["::/0"], "203.0.113.7", false],
  [["0.0.0.0/0"], "2001:db8::1", false],
  [["0.0.0.0/0", "::/0"], "", false],
  [["not an address"], "203.0.113.7", false],
  [null, "", true],
])("a token limited to %j may be used from %j: %s [A22]", (allowed, address, isAllowed) => {
  expect(isAllowedFrom(allowed, address)).toBe(isAllowed);
});
