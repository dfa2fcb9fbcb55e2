import { describe, expect, it } from "vitest";
import * as z from "zod";
import { Refusal } from "../contract/refusal.ts";
import { isLargeBody, readBody } from "./read-body.ts";

const post = (body: BodyInit | null, headers: Record<string, string> = {}) =>
  new Request("https://api.example.com/", { method: "POST", body, headers });

describe("isLargeBody", () => {
  it.each([
    ["64 KB", post("{}", { "content-length": "65536" }), false],
    ["64 KB and one byte", post("{}", { "content-length": "65537" }), true],
    ["no Content-Length", post("{}"), true],
    ["no body", post(null), false],
  ])("checks the declared length of a body with %s", (_, request, isLarge) => {
    expect(isLargeBody(request)).toBe(isLarge);
  });
});

describe("reading a body", () => {
  const read = (request: Request, body: z.ZodType = z.object({ name: z.string() })) =>
    readBody(request, { body, maximumBodyBytes: 100 });
  const statusOf = (found: unknown) => (found instanceof Refusal ? found.status : undefined);
  const optional = z.object({ name: z.string().optional() });

  it.each(["application/json", "application/vnd.partner+json", "application/problem.v2+json; charset=utf-8"])(
    "accepts a body sent as %s",
    async (type) => {
      expect(await read(post('{"name":"Ada"}', { "content-type": type }))).toEqual({
        json: { name: "Ada" },
      });
    },
  );

  it.each([
    "text/json",
    "application/jsonx",
    "application/+json",
    "x-application/json",
    "application/json+x",
  ])("rejects a body sent as %s", async (type) => {
    expect(statusOf(await read(post("{}", { "content-type": type })))).toBe(400);
  });

  it("removes the byte order mark that some clients write before UTF-8, but only one", async () => {
    const marked = (marks: number) =>
      read(post(`${"\ufeff".repeat(marks)}{"name":"Ada"}`, { "content-type": "application/json" }));
    expect(await marked(1)).toEqual({ json: { name: "Ada" } });
    expect(statusOf(await marked(2))).toBe(400);
  });

  it("reads a missing body as {} if every field is optional", async () => {
    const json = { "content-type": "application/json" };
    for (const empty of [post(null), post("", { "content-length": "0" }), post(""), post("", json)]) {
      expect(await read(empty.clone(), optional)).toEqual({ json: {} });
      expect(statusOf(await read(empty))).toBe(400);
    }
  });

  it("reads no further than the limit, whether or not the length is declared", async () => {
    const json = { "content-type": "application/json" };
    for (const [length, status] of [
      [100, undefined],
      [101, 413],
    ] as const) {
      const text = "{}".padEnd(length);
      const declared = { ...json, "content-length": String(length) };
      for (const headers of [json, declared])
        expect(statusOf(await read(post(text, headers), optional))).toBe(status);
    }
  });
});
