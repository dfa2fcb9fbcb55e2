import { expect, it } from "vitest";
import { withLabels } from "../support/transcript.ts";
import { runCommand, stateDirectory } from "./service.ts";

/** Sorts a step's lines, because concurrent records and deliveries arrive in any order. */
function sorted(step: string): string {
  const [title = "", ...lines] = step.split("\n    ");
  if (!/^✓ (List|Each step)/.test(title)) return step;
  const list = title.startsWith("✓ List");
  const shown = lines.map((line) => (list ? line.split(", ").sort().join(", ") : line));
  return [title, ...shown.sort()].join("\n    ");
}

it("every step of npm run demo succeeds [O10]", async () => {
  const { directory, remove } = stateDirectory();
  const { code, stdout, stderr } = await runCommand("demo.ts", [], directory);
  remove();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const steps = withLabels(stdout).split(/\n(?=✓ )/);
  await expect(steps.map(sorted).join("\n")).toMatchFileSnapshot("./demo.txt");
});
