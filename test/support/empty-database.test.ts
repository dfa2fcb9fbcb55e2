import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { makeWorkspace } from "./workspace.ts";

const count = () => env.DB.prepare("SELECT count(*) AS count FROM organizations").first("count");

it("every test file begins with the complete schema and no rows from earlier files", async () => {
  await makeWorkspace();
  expect(await count()).toBe(1);
  vi.resetModules();
  await import("./empty-database.ts");
  expect(await count()).toBe(0);
  await makeWorkspace();
  expect(await count()).toBe(1);
});
