/**
 * `npm run each-cell -- deploy`: runs a command of wrangler in the environment of each of production's cells, one after
 * the other, and then in the front's if it is a deploy or about one of its secrets. It ends with the first that fails.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cellsOfProduction } from "./cells.ts";
import { projectFolder } from "./local/child.ts";

const ofFront = ["deploy", "FRONT_KEY", "SERVICE_STATE"];

/** With one cell, it is all of production. */
export function environmentsFor(command: readonly string[], cells: readonly string[]): string[] {
  if (cells.length === 1) return ["production"];
  const names = ofFront.some((word) => command.includes(word)) ? [...cells, "front"] : cells;
  return names.map((name) => `production-${name}`);
}

function run(command: readonly string[]): number {
  // A secret's value is given once.
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
