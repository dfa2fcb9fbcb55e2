import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { refusalOf } from "../../client/src/errors.ts";
import { RefusedError } from "../../client/src/index.ts";

const document = readFileSync(join(import.meta.dirname, "..", "..", "openapi.json"), "utf8");
const codes = new Set([...document.matchAll(/"code": "([a-z_]+)"/g)].map(([, code]) => code as string));

it("openapi.json documents codes", () => expect(codes.size).toBeGreaterThan(10));

it.each([...codes])("%s has a class of its own", async (code) => {
  const answer = Response.json({ error: "no", code }, { status: 422 });
  const error = refusalOf(answer, await answer.text());
  expect(error).toBeInstanceOf(RefusedError);
  const named = code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  expect(error.name, "add it to client/src/errors.ts").toBe(
    code === "rate_limit_exceeded" ? "RateLimitError" : `${named}Error`,
  );
});

it.each([
  ["<h1>Down</h1>", "Bad Gateway", "Bad Gateway"],
  ["<h1>Down</h1>", "", "<h1>Down</h1>"],
  ["x".repeat(201), "", "x".repeat(200)],
  ['{"message":"down"}', "", '{"message":"down"}'],
  ['{"error":{"code":1}}', "Bad Gateway", "Bad Gateway"],
  ["null", "", "null"],
])("what stands in front of the service answers %j %j: %j", async (text, statusText, error) => {
  const refused = refusalOf(new Response(text, { status: 502, statusText }), text);
  expect(refused.constructor).toBe(RefusedError);
  expect([refused.body, refused.code, refused.retryable]).toEqual([{ error }, undefined, true]);
});
