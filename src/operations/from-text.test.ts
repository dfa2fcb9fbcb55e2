import { expect, it } from "vitest";
import * as z from "zod";
import { fromText } from "./from-text.ts";

const shape = z.object({
  text: z.string(),
  count: z.int().optional(),
  amount: z.number().default(1),
  isOpen: z.boolean().default(false),
  note: z.string().nullable().optional(),
  places: z.int().nullable(),
  scopes: z.array(z.string()).optional(),
  ceiling: z.union([z.int(), z.literal("none")]),
  headers: z.record(z.string(), z.string()).nullable().optional(),
  checked: z.preprocess((value) => value, z.record(z.string(), z.string())).optional(),
  addresses: z.union([z.literal("none"), z.array(z.string())]),
});

it.each([
  ["text", " 5 ", " 5 "],
  ["count", "12", 12],
  ["count", "-5", -5],
  ["amount", "12.50", 12.5],
  ["amount", "-0.5", -0.5],
  ...["", " 1", "1 ", "1e3", "0x10", ".5", "5.", "+1", "1,5", "--1", "Infinity"].map(
    (wrong) => ["amount", wrong, wrong] as const,
  ),
  ["isOpen", "true", true],
  ["isOpen", "false", false],
  ...["", "yes", "TRUE", "1"].map((wrong) => ["isOpen", wrong, wrong] as const),
  ["note", "", null],
  ["note", "kept", "kept"],
  ["places", "", null],
  ["places", "3", 3],
  ["scopes", "a, b ,,c", ["a", "b", "c"]],
  ["scopes", "", []],
  ["ceiling", "12", 12],
  ["ceiling", "none", "none"],
  ["ceiling", "all", "all"],
  ["addresses", "none", "none"],
  ["addresses", "a,b", ["a", "b"]],
  ["headers", '{"X-Key":"1"}', { "X-Key": "1" }],
  ["headers", "X-Key: 1", "X-Key: 1"],
  ["checked", '{"X-Key":"1"}', { "X-Key": "1" }],
  ["headers", "", null],
  ["count", 7, 7],
  ["isOpen", null, null],
  ["unknown", "1", "1"],
  ["constructor", "1", "1"],
] as const)("the field %s parses %j as %j", (name, written, read) => {
  expect(fromText(shape, { [name]: written })).toEqual({ [name]: read });
});
