/**
 * Writes the configurations for a local service with several cells, derived from the development part of wrangler.toml.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "./child.ts";
import type { State } from "./state.ts";

export const frontName = "partner-api-front";

/** The first cell, `a`, has the same resource names as a single-cell service, so it shares that service's state. */
export const cellNames = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => String.fromCharCode("a".charCodeAt(0) + index));

export const directoryId = "00000000-0000-0000-0000-0000000000ff";
export const databaseIdOf = (index: number): string =>
  `00000000-0000-0000-0000-${String(index).padStart(12, "0")}`;

/** Public, like the other development keys. */
const frontKey = "local-development-front-key-0000000000000000";

/** The `--var NAME:value` variables, which `wrangler dev` would pass only to the front. */
function varsIn(parameters: readonly string[]): Record<string, string> {
  const words = parameters.map((word) => word.replace(/^--var=/, ""));
  const given = words.flatMap((word) => {
    const [, name, value] = /^([A-Z_]+):(.*)$/s.exec(word) ?? [];
    return name === undefined || name === "SERVICE_STATE" ? [] : [[name, value ?? ""]];
  });
  return Object.fromEntries(given);
}

/** A cell's SERVICE_STATE, as given by `--cell-state b=closed`. */
export type CellStates = Readonly<Record<string, string>>;

interface Given {
  states: CellStates;
  vars: Record<string, string>;
}

const quoted = (text: string) => JSON.stringify(text);

const directory = `
[[d1_databases]]
binding = "DIRECTORY"
database_name = "partner-api-directory"
database_id = "${directoryId}"
migrations_dir = ${quoted(join(projectFolder, "src/front/migrations"))}
`;

function cellConfig(
  development: string,
  names: readonly string[],
  index: number,
  { states, vars }: Given,
): string {
  const name = names[index] ?? "";
  const own = index === 0 ? "" : `-${name}`;
  const all = {
    ...vars,
    SERVICE_STATE: states[name] ?? "open",
    CELL: name,
    CELLS: names.join(),
    FRONT_KEY: frontKey,
  };
  const assigned = Object.entries(all).map(([key, value]) => `${key} = ${quoted(value)}`);
  const replaced = new RegExp(`^(?:${Object.keys(all).join("|")}) = (?:"""[^]*?"""|.*)\\n`, "gm");
  return development
    .replaceAll(replaced, "")
    .replace(/^name = "partner-api"/m, `name = "partner-api${own}"`)
    .replace(/^main = .*/m, `main = ${quoted(join(projectFolder, "scripts/local/development/worker.ts"))}`)
    .replace(/^\[build\]\ncommand = .*\n/m, index === 0 ? `$&cwd = ${quoted(projectFolder)}\n` : "")
    .replace(
      /^directory = "\.wrangler\/docs"/m,
      `directory = ${quoted(join(projectFolder, ".wrangler/docs"))}`,
    )
    .replace(/^migrations_dir = .*/m, `migrations_dir = ${quoted(join(projectFolder, "migrations"))}`)
    .replaceAll(/^(database_name|bucket_name|queue|dead_letter_queue) = "([\w-]+)"/gm, `$1 = "$2${own}"`)
    .replace(databaseIdOf(0), databaseIdOf(index))
    .replaceAll(/^namespace_id = "1/gm, `namespace_id = "1${index || ""}`)
    .replace(/^\[vars\]$/m, `${directory}\n[vars]\n${assigned.join("\n")}`);
}

function frontConfig(development: string, names: readonly string[]): string {
  const [settings = ""] = development.split("workers_dev");
  const services = names.flatMap((name, index) => {
    const service = quoted(index === 0 ? "partner-api" : `partner-api-${name}`);
    const binding = (kind: string) =>
      `[[services]]\nbinding = "${kind}_${name.toUpperCase()}"\nservice = ${service}\n`;
    return [binding("CELL"), `${binding("ADMIN")}entrypoint = "Admin"\n`];
  });
  return [
    settings
      .replace(/^name = .*/m, `name = "${frontName}"`)
      .replace(/^main = .*/m, `main = ${quoted(join(projectFolder, "scripts/local/development/front.ts"))}`),
    '[triggers]\ncrons = ["* * * * *"]\n',
    `[vars]\nCELLS = ${quoted(names.join())}\nFRONT_KEY = ${quoted(frontKey)}\nSERVICE_STATE = "open"\n`,
    directory,
    ...services,
  ].join("\n");
}

/** Writes the configurations to the state folder, and returns their paths with the front's first. */
export function writeConfigs(
  state: State,
  count: number,
  states: CellStates,
  parameters: readonly string[],
): string[] {
  const [development = ""] = readFileSync(join(projectFolder, "wrangler.toml"), "utf8").split(
    "# Production.",
  );
  const names = cellNames(count);
  const given = { states, vars: varsIn(parameters) };
  const folder = join(state.directory, "cells");
  mkdirSync(folder, { recursive: true });
  const configs = [
    frontConfig(development, names),
    ...names.map((_, index) => cellConfig(development, names, index, given)),
  ];
  return configs.map((config, index) => {
    const path = join(folder, `${index === 0 ? "front" : names[index - 1]}.toml`);
    writeFileSync(path, config);
    return path;
  });
}
