import { expect, it } from "vitest";
import openapi from "../../openapi.json";
import * as exported from "./index.ts";
import { refusalOf } from "./refusal-of.ts";

const [{ enum: codes = [] } = {}] = openapi.components.schemas.Error.properties.code.anyOf;
const nameOf = (code: string) =>
  `${code.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}Error`;

it.each(codes)("exports an error class for the code %s", (code) => {
  const Class = Reflect.get(exported, nameOf(code));
  const body = JSON.stringify({ error: "No", code });
  expect(refusalOf(new Response(body, { status: 409 }), body)).toBeInstanceOf(Class);
});
