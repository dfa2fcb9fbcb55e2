import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { makeWorkspace } from "./workspace.ts";

const count = () => env.DB.prepare("SELECT count(*) AS count FROM organizations").first("count");

it("a file begins without the rows of earlier ones, on the complete schema", async () => {
  await makeWorkspace();
  expect(await count()).toBe(1);
  vi.resetModules();
  await import("./empty-database.ts");
  expect(await count()).toBe(0);
  await makeWorkspace();
  expect(await count()).toBe(1);
});
