import { describe, expect, it } from "vitest";
import * as z from "zod";
import { serialize } from "./serialize.ts";

const Answer = z.object({
  id: z.string(),
  hours: z.number().nullable(),
  status: z.enum(["draft", "open"]),
  lines: z.array(z.object({ billable: z.boolean() })),
});
const answer = { id: "1", hours: null, status: "open", lines: [{ billable: true }] };

describe("a response", () => {
  it("is sent unchanged if it matches its schema", () => {
    expect(serialize(Answer, answer)).toBe(answer);
  });

  it("is sent without undocumented fields, at any depth", () => {
    const lines = [{ billable: true, organization_id: "2" }];
    expect(serialize(Answer, { ...answer, request_fingerprint: "3" })).toEqual(answer);
    expect(serialize(Answer, { ...answer, lines })).toEqual(answer);
  });

  it("is rejected if a field is missing or has the wrong type", () => {
    const { id: _, ...nameless } = answer;
    for (const wrong of [
      nameless,
      { ...nameless, name: "1" },
      { ...answer, id: null },
      { ...answer, hours: Number.NaN },
      { ...answer, status: "paid" },
      { ...answer, lines: [{ billable: 1 }] },
      { ...answer, lines: { 0: { billable: true } } },
    ]) {
      expect(() => serialize(Answer, wrong)).toThrow(z.ZodError);
    }
  });

  it("may have a schema with custom rules", () => {
    const Trimmed = z.object({ id: z.string().trim(), note: z.string().optional() });
    expect(serialize(Trimmed, { id: " 1 ", note: "kept" })).toEqual({ id: "1", note: "kept" });
    for (const [schema, wrong] of [
      [z.uuid(), "1"],
      [z.int(), 1.5],
      [z.number().min(2), 1],
      [z.strictObject({}), { extra: 1 }],
    ] as const) {
      expect(() => serialize(z.object({ value: schema }), { value: wrong })).toThrow(z.ZodError);
    }
  });
});
