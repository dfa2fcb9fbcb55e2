/**
 * `npm run each-cell -- deploy` runs a wrangler command for each production cell in turn. Deploys also run for the
 * front, and so do commands for one of the front's secrets. Stops at the first failure.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cellsOfProduction } from "./cells.ts";
import { projectFolder } from "./local/child.ts";

const ofFront = ["deploy", "FRONT_KEY", "SERVICE_STATE"];

/** A single cell uses the environment `production`. */
export function environmentsFor(command: readonly string[], cells: readonly string[]): string[] {
  if (cells.length === 1) return ["production"];
  const names = ofFront.some((word) => command.includes(word)) ? [...cells, "front"] : cells;
  return names.map((name) => `production-${name}`);
}

function run(command: readonly string[]): number {
  // A secret's value is read once and used for every environment.
  const input = command.includes("secret") && !process.stdin.isTTY ? readFileSync(0) : undefined;
  const names = cellsOfProduction().cells.map(({ name }) => name);
  for (const environment of environmentsFor(command, names)) {
    console.log(`\n${environment}`);
    const { status } = spawnSync("npx", ["wrangler", ...command, "--env", environment], {
      cwd: projectFolder,
      stdio: [input ? "pipe" : "inherit", "inherit", "inherit"],
      ...(input && { input }),
    });
    if (status !== 0) return status ?? 1;
  }
  return 0;
}

if (process.argv[1] === import.meta.filename) process.exitCode = run(process.argv.slice(2));
