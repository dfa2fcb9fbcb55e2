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
  const error = await refusalOf(answer);
  expect(error).toBeInstanceOf(RefusedError);
  expect(error.constructor, "add it to client/src/errors.ts").not.toBe(RefusedError);
});
