import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Listing } from "../../client/src/listing.ts";
import { root } from "./installed.ts";
import { scriptedService } from "./scripted-service.ts";

interface Documented {
  paths: Record<string, Record<string, { tags: string[] }>>;
}
const { paths }: Documented = JSON.parse(readFileSync(join(root, "openapi.json"), "utf8"));

it("the client has a method for every operation except the legacy ones", async () => {
  const { api, asked } = await scriptedService([{ status: 200, body: { data: [], next_cursor: null } }]);
  const { webhooks: _, events, ...resources } = api;
  const methods = Object.values(resources).flatMap((resource) =>
    Object.entries(resource).flatMap(([name, method]) => (name === "sync" ? [] : [method])),
  );
  for (const method of [...methods, events.list]) {
    const result: unknown = Reflect.apply(method, undefined, ["0", "0"]);
    await (result instanceof Listing ? result.page() : result);
  }
  const called = asked.map(({ method, url }) => `${method.toLowerCase()} ${url.pathname}`);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { tags }]) =>
      tags.includes("Legacy") ? [] : [`${method} ${path.replaceAll(/\{\w+\}/g, "0")}`],
    ),
  );
  expect(called.sort()).toEqual(operations.sort());
});
