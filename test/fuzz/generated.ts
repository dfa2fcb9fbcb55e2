import { env } from "cloudflare:workers";
import fc from "fast-check";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

/** The parts of the generated requests. */

/** A plan with a practically unlimited rate limit, so that requests get past the limiter. */
export async function makeUnlimitedWorkspace(): Promise<Workspace> {
  await env.DB.prepare(
    "INSERT INTO plans (name, api_access, requests_per_minute) VALUES ('unlimited', 1, 1000000) ON CONFLICT DO NOTHING",
  ).run();
  return makeWorkspace({ plan: "unlimited" });
}

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    "",
    " ",
    "\0",
    "\ud800",
    "data:\ud800;base64,iVBORw0KGgo=",
    "null",
    "../..",
    "' OR 1=1 --",
    "2026-02-30",
    "١٢",
    "1e999",
    "a".repeat(30_000),
  ),
  fc.uuid(),
);
const anyNumber = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(-0, 1e308, 5e-324, 2 ** 53, 0.1 + 0.2, 24.001),
);
const anyValue = fc.oneof(
  anyText,
  anyNumber,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue(),
  fc.array(fc.jsonValue()),
);

/** A valid body with some fields, or fields inside its lists, replaced, removed or added. */
export function mutated(body: Record<string, unknown>): fc.Arbitrary<unknown> {
  const fields = [
    ...Object.keys(body),
    "title",
    "metadata",
    "image_base64",
    "__proto__",
    "constructor",
    "id",
  ];
  return fc
    .array(fc.tuple(fc.constantFrom(...fields), fc.option(anyValue, { nil: undefined })), {
      minLength: 1,
      maxLength: 3,
    })
    .map((changes) => {
      const copy = structuredClone(body);
      for (const [field, value] of changes) {
        const list = copy[field];
        if (Array.isArray(list) && typeof list[0] === "object" && list[0] !== null) {
          const keys = Object.keys(list[0]);
          list[0][keys[0] as string] = value;
        } else
          Object.defineProperty(copy, field, { value, enumerable: true, configurable: true, writable: true });
      }
      return copy;
    });
}

export const headerText = fc.string({
  unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
  maxLength: 250,
});

/** A documented example with real ids. */
export const withRecords = (body: Record<string, unknown>, records: object) =>
  Object.fromEntries(
    Object.entries(body).map(([field, value]) => [field, Reflect.get(records, field) ?? value]),
  );
