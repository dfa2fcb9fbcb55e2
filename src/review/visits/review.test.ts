import { expect, it } from "vitest";
import { maskedAddress } from "./review.ts";

it.each([
  ["nora@northwind.example", "n•••@n•••.example"],
  ["nora.lee@mail.northwind.example", "n•••@m•••.example"],
  ["nora.lee@localhost", "n•••@l•••"],
  ["😀@northwind.example", "😀•••@n•••.example"],
])("masks the address %s as %s", (address, shown) => {
  expect(maskedAddress(address)).toBe(shown);
});
