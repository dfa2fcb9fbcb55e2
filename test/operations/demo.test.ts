import { expect, it } from "vitest";
import { runCommand, stateDirectory } from "./service.ts";

it("npm run demo does the main job, and every step of it holds", async () => {
  const { directory, remove } = stateDirectory();
  const { code, stdout, stderr } = await runCommand("demo.ts", [], directory);
  remove();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("Every step held.");
  expect(stdout.match(/^✓/gm)?.length).toBeGreaterThan(20);
  expect(stdout).not.toContain("✗");
});
