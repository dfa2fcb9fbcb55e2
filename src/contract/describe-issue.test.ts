import { expect, it } from "vitest";
import * as z from "zod";
import { describeIssue } from "./describe-issue.ts";

const textOf = (schema: z.ZodType, value: unknown) =>
  z.strictObject({ field: schema }).safeParse({ field: value }, { error: describeIssue }).error?.issues[0]
    ?.message;

it.each([
  [z.string(), undefined, "field is required"],
  [z.string(), 1, "field must be a string"],
  [z.int(), 1.5, "field must be an integer"],
  [z.array(z.string()), "1", "field must be an array"],
  [z.record(z.string(), z.string()), 1, "field must be an object"],
  [z.strictObject({}), { a: 1 }, "field.a is not a known field"],
  [z.literal("on"), "off", "field must be on"],
  [z.enum(["a", "b"]), "c", "field must be one of a, b"],
  [z.number().gt(0), 0, "field must be more than 0"],
  [z.number().min(1), 0, "field must be at least 1"],
  [z.number().max(24), 25, "field must be at most 24"],
  [z.string().min(1), "", "field must have at least 1 character"],
  [z.string().min(2), "", "field must have at least 2 characters"],
  [z.string().max(1), "ab", "field must have at most 1 character"],
  [z.array(z.string()).min(1), [], "field must have at least 1 item"],
  [z.array(z.string()).max(0), ["a"], "field must have at most 0 items"],
  [z.string().max(3, "field is long"), "four", "field is long"],
  [z.uuid(), "1", "field must be a valid uuid"],
  [z.number().multipleOf(2), 3, "field is not valid"],
])("names the field and the problem: %o %j: %s", (schema, value, text) => {
  expect(textOf(schema, value)).toBe(text);
});

it("names the body if the whole body is invalid", () => {
  const issues = z.object({}).safeParse(1, { error: describeIssue }).error?.issues;
  expect(issues?.[0]?.message).toBe("body must be an object");
});

it("truncates a field's path to 200 characters", () => {
  const messageFor = (name: string) =>
    z.strictObject({}).safeParse({ [name]: 1 }, { error: describeIssue }).error?.issues[0]?.message;
  expect(messageFor("a".repeat(200))).toBe(`${"a".repeat(200)} is not a known field`);
  expect(messageFor("a".repeat(3_000_000))).toBe(`${"a".repeat(199)}… is not a known field`);
});
