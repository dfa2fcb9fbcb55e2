import { describe, expect, it } from "vitest";
import * as z from "zod";
import { dateInput, emailInput, instantInput, momentInput, text, timestampInput } from "./fields.ts";

describe("a timestamp accepts any ISO 8601 offset and is converted to UTC with milliseconds [T2]", () => {
  it.each([
    ["2026-01-31T09:30:00Z", "2026-01-31T09:30:00.000Z"],
    ["2026-01-31T09:30Z", "2026-01-31T09:30:00.000Z"],
    ["2026-01-31T09:30:00.123456Z", "2026-01-31T09:30:00.123Z"],
    ["2026-01-31T09:30:00,5Z", "2026-01-31T09:30:00.500Z"],
    ["2026-01-31T09:30:00+02:00", "2026-01-31T07:30:00.000Z"],
    ["2026-01-31T09:30:00 02:00", "2026-01-31T07:30:00.000Z"],
    ["2026-01-31T09:30:00-0530", "2026-01-31T15:00:00.000Z"],
    ["2026-01-31T00:30:00+01", "2026-01-30T23:30:00.000Z"],
  ])("converts %s to %s", (given, utc) => {
    expect(timestampInput.parse(given)).toBe(utc);
  });

  it.each([
    "",
    "now",
    "2026-01-31",
    "2026-01-31T09:30:00",
    "2026-02-30T00:00:00Z",
    "2026-01-31T25:00:00Z",
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:30:00+01:00",
    "9999-12-31T23:30:00-01:00",
    "2026-01-31T09:30:00+99:00",
    "1769851800",
  ])("rejects %j", (given) => {
    expect(timestampInput.safeParse(given).success).toBe(false);
  });
});

describe("updated_since accepts the documented ISO 8601 formats [L5]", () => {
  it.each([
    ["2026-01-31T09:30:00Z", "2026-01-31T09:30:00.000Z"],
    ["20260131T093000Z", "2026-01-31T09:30:00.000Z"],
    ["20260131T093000.25+0200", "2026-01-31T07:30:00.250Z"],
    ["20260131T0930", "2026-01-31T09:30:00.000Z"],
    ["2026-W05-6T09:30:00Z", "2026-01-31T09:30:00.000Z"],
    ["2026W056T093000Z", "2026-01-31T09:30:00.000Z"],
    ["2026-W05-6", "2026-01-31T00:00:00.000Z"],
    ["2026-W01-1", "2025-12-29T00:00:00.000Z"],
    ["2026-W53-7", "2027-01-03T00:00:00.000Z"],
    ["2026-031T09:30:00+02:00", "2026-01-31T07:30:00.000Z"],
    ["2026031T093000+02", "2026-01-31T07:30:00.000Z"],
    ["2028-366", "2028-12-31T00:00:00.000Z"],
    ["2026-01-31T09:30:00", "2026-01-31T09:30:00.000Z"],
    ["2026-01-31T00:30:00+01", "2026-01-30T23:30:00.000Z"],
    ["2026-01-31T09:30:00-0530", "2026-01-31T15:00:00.000Z"],
    ["2026-01-31T09:30:00 02:00", "2026-01-31T07:30:00.000Z"],
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["20260131", "2026-01-31T00:00:00.000Z"],
    ["2026-01-31T24:00:00Z", "2026-02-01T00:00:00.000Z"],
    ["2026-12-31T23:59:60Z", "2027-01-01T00:00:00.000Z"],
    ["20261231T235960.5Z", "2027-01-01T00:00:00.500Z"],
    ["2026-01-31T09:30:00.123000Z", "2026-01-31T09:30:00.123Z"],
    ["2026-01-31T09:30:00.1230001Z", "2026-01-31T09:30:00.124Z"],
    ["2026-01-31T23:59:59,9999Z", "2026-02-01T00:00:00.000Z"],
  ])("converts %s to %s", (given, utc) => {
    expect(instantInput.parse(given)).toBe(utc);
  });

  it.each([
    "",
    "now",
    "2026",
    "2026-0131",
    "2026W05-6",
    "2026-W056",
    "2026-W05",
    "2026-W00-1",
    "2025-W53-1",
    "2026-W05-8",
    "2026-000",
    "2026-366",
    "0000-W10-1",
    "9999-W52-7T00:00:00-24:00",
    "2026-01-31T0930:00Z",
    "2026-02-30",
    "2026-01-31T09:30:61Z",
    "2026-01-31T24:00:00.5Z",
    "2026-01-31T09:30:00+99:00",
    "9999-12-31T23:59:59.9999Z",
    "1769851800",
  ])("rejects %j", (given) => {
    expect(instantInput.safeParse(given).success).toBe(false);
  });
});

it("a calendar day must exist [T3]", () => {
  expect(dateInput.safeParse("2028-02-29").success).toBe(true);
  expect(dateInput.safeParse("0001-01-01").success).toBe(true);
  for (const day of ["0000-01-01", "0000-12-31", "2026-02-29", "2026-13-01", "2026-1-1", "20260131"]) {
    expect(dateInput.safeParse(day).success).toBe(false);
  }
});

it("trims text and counts characters, not UTF-16 units [T4]", () => {
  expect(text(1, 3).parse(" 👩👩👩 ")).toBe("👩👩👩");
  for (const wrong of ["   ", "abcd", "a\0", "\ud800"])
    expect(text(1, 3).safeParse(wrong).success).toBe(false);
});

it("a string's error message says whether its length or its content is invalid", () => {
  const messageOf = (value: string) =>
    z.object({ name: text(1, 3) }).safeParse({ name: value }).error?.issues[0]?.message;
  for (const wrong of ["a\0b", "abc\0", "a\ud800"]) {
    expect(messageOf(wrong)).toBe("name must be Unicode text without control characters");
  }
  expect(messageOf("abcd")).toBe("name must have 1 to 3 characters");
});

it("a timestamp's calendar day is the day at its own offset", () => {
  expect(momentInput.parse("2026-02-01T00:30:00+02:00")).toEqual({
    at: "2026-01-31T22:30:00.000Z",
    day: "2026-02-01",
  });
  expect(momentInput.parse("2026-01-31T24:00:00-05:00").day).toBe("2026-02-01");
  expect(momentInput.parse("9999-12-31T24:00+01:00").day).toBe("9999-12-31");
  expect(momentInput.safeParse("2026-02-01T00:30:00").success).toBe(false);
});

it("an e-mail address must be valid for SMTP, and cannot inject a header [T15]", () => {
  expect(emailInput.parse(" mara@northwind.example ")).toBe("mara@northwind.example");
  for (const right of [
    "o'neil+a_b-c@x.co",
    "jürgen@müller.example",
    "用户@例え.テスト",
    "a.b.c@d-e.f.g.co",
    `a@${"b".repeat(63)}.co`,
    `${"x".repeat(64)}@a.co`,
    `${"é".repeat(32)}@a.co`,
    `a@${`${"b".repeat(61)}.`.repeat(4)}co`.slice(0, 254),
    "a@1.2.co",
  ]) {
    expect(emailInput.parse(right)).toBe(right);
  }
  for (const wrong of [
    "a\0b@c.co",
    "ab@c\0.co",
    "a\u0007b@c.co",
    "a\u200bb@c.co",
    "a\u202eb@c.co",
    "a..b@c.co",
    ".a@b.co",
    "a.@b.co",
    "a@b..co",
    "a@.b.co",
    "a@b.co.",
    "a@-b.co",
    "a@b-.co",
    "a@b_c.co",
    `a@${"b".repeat(64)}.co`,
    `a@b.${"c".repeat(64)}`,
    `${"x".repeat(65)}@a.co`,
    `${"é".repeat(33)}@a.co`,
    `a@${"ü".repeat(60)}.co`,
    `a@${`${"ü".repeat(20)}.`.repeat(10)}co`,
    "a@1.2.3.4",
    "a@b.123",
    "a\ud800@b.co",
    "a",
    "a@b",
    "a@@b.co",
    "a b@c.co",
    "a@b.co\nbcc: x@y.co",
    "<a@b.co>",
    "a@b.co,c@d.co",
  ]) {
    expect(emailInput.safeParse(wrong).success).toBe(false);
  }
});
