import { expect, it } from "vitest";
import { runCommand, stateDirectory } from "./service.ts";

it("npm run drill:restore loses nothing that should not be [B2]", async () => {
  const { directory, remove } = stateDirectory();
  const { code, stdout } = await runCommand("drill-restore.ts", [], directory);
  remove();
  expect([code, stdout.match(/^✓/gm)?.length, stdout]).toEqual([
    0,
    8,
    expect.stringMatching(/\nNothing was lost that should not be\.\n$/),
  ]);
});
