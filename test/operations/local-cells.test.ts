import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Unstable_Config as Config, unstable_readConfig } from "wrangler";
import { readCellParameters } from "../../scripts/local/cell-parameters.ts";
import { writeConfigs } from "../../scripts/local/cells.ts";
import { stateAt } from "../../scripts/local/state.ts";

it("--cells sets the number of cells and --cell-state closes one [Z1]", () => {
  const words = ["--port", "8791", "--cells", "2", "--cell-state", "b=closed", "--cell-state=a=read_only"];
  expect(readCellParameters(words)).toEqual({
    cells: 2,
    cellStates: { a: "read_only", b: "closed" },
    parameters: ["--port", "8791"],
  });
  expect(readCellParameters([])).toEqual({ cells: 1, cellStates: {}, parameters: [] });
  expect(() => readCellParameters(["--cells", "9"])).toThrow("--cells must be 1 to 8");
  expect(() => readCellParameters(["--cell-state", "b=gone"])).toThrow("--cell-state must be a cell");
});

const ownNamesOf = (config: Config) => [
  config.name ?? "",
  ...config.d1_databases.map(({ binding, database_id }) => `${binding} ${database_id}`),
  ...config.r2_buckets.map(({ bucket_name }) => bucket_name ?? ""),
  ...(config.queues.producers ?? []).map(({ queue }) => queue),
  ...config.ratelimits.map(({ namespace_id }) => namespace_id),
];

it("two cells share only the directory database, and the front has bindings to both [Z1]", () => {
  const folder = mkdtempSync(join(tmpdir(), "local-cells-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const given = ["--var", "SERVICE_NAME:Somebody's"];
  const paths = writeConfigs(stateAt(folder), 2, { b: "closed" }, given);
  const [front, a, b] = paths.map((config) => unstable_readConfig({ config }, { hideWarnings: true }));
  if (!front || !a || !b) throw new Error("there are not three configurations");
  const directory = `DIRECTORY ${front.d1_databases[0]?.database_id}`;
  expect(ownNamesOf(a).filter((name) => ownNamesOf(b).includes(name))).toEqual([directory]);
  expect([a, b].map(({ vars }) => [vars.CELL, vars.SERVICE_STATE, vars.SERVICE_NAME])).toEqual([
    ["a", "open", "Somebody's"],
    ["b", "closed", "Somebody's"],
  ]);
  const reached = front.services.map(
    ({ binding, service }: Record<string, string>) => `${binding} ${service}`,
  );
  expect(reached).toEqual(
    [a, b].flatMap(({ name, vars }) => {
      const cell = String(vars.CELL).toUpperCase();
      return [`CELL_${cell} ${name}`, `ADMIN_${cell} ${name}`];
    }),
  );
});
