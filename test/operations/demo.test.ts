import { expect, it } from "vitest";
import { labelled } from "../support/transcript.ts";
import { runCommand, stateDirectory } from "./service.ts";

/** Records that were created together are listed in any order, and deliveries arrive in any. */
function sorted(step: string): string {
  const [title = "", ...lines] = step.split("\n    ");
  if (!/^✓ (List|Each step)/.test(title)) return step;
  const list = title.startsWith("✓ List");
  const shown = lines.map((line) => (list ? line.split(", ").sort().join(", ") : line));
  return [title, ...shown.sort()].join("\n    ");
}

it("npm run demo does the main job, and every step of it succeeds [O10]", async () => {
  const { directory, remove } = stateDirectory();
  const { code, stdout, stderr } = await runCommand("demo.ts", [], directory);
  remove();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const steps = labelled(stdout).split(/\n(?=✓ )/);
  await expect(steps.map(sorted).join("\n")).toMatchFileSnapshot("./demo.txt");
});
