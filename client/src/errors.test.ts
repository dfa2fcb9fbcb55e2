import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import openapi from "../../openapi.json";
import { refusalOf } from "./errors.ts";
import * as exported from "./index.ts";

const [{ enum: codes = [] } = {}] = openapi.components.schemas.Error.properties.code.anyOf;
const nameOf = (code: string) =>
  `${code.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}Error`;

it.each(codes)("both packages export the class of %s", (code) => {
  const Class = Reflect.get(exported, nameOf(code));
  const body = JSON.stringify({ error: "No", code });
  expect(refusalOf(new Response(body, { status: 409 }), body)).toBeInstanceOf(Class);
  const python = readFileSync(
    join(import.meta.dirname, "../../client-python/partner_api/__init__.py"),
    "utf8",
  );
  expect(python.split(nameOf(code))).toHaveLength(3);
});
