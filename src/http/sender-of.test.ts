import { expect, it } from "vitest";
import { senderOf } from "./sender-of.ts";

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
  ["2001:db8:1:3::1", "2001:db8:1:3::/64"],
  ["::1", "0:0:0:0::/64"],
  ["", ""],
  ["not:an:address", "not:an:address"],
])("identifies the sender %j by its IPv4 address or IPv6 /64: %j", (address, sender) => {
  expect(senderOf(new Headers(address ? { "cf-connecting-ip": address } : {}))).toBe(sender);
});
