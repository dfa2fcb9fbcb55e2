import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Unstable_Config as Config, unstable_readConfig } from "wrangler";
import { cellsOfProduction, readCells } from "../../scripts/cells.ts";
import { environmentsFor } from "../../scripts/each-cell.ts";
import { withEnvironments } from "../../scripts/environments.ts";

const path = join(import.meta.dirname, "..", "..", "wrangler.toml");
const [development, production, staging] = [undefined, "production", "staging"].map((env) =>
  unstable_readConfig({ config: path, ...(env && { env }) }, { hideWarnings: true }),
) as [Config, Config, Config];

const bindingsOf = (config: Config) => ({
  assets: config.assets?.binding,
  buckets: config.r2_buckets.map(({ binding }) => binding),
  consumers: config.queues.consumers?.map(({ queue, dead_letter_queue, ...limits }) => limits),
  crons: config.triggers.crons,
  classes: config.exports,
  databases: config.d1_databases.map(({ binding, migrations_dir }) => [binding, migrations_dir]),
  limits: config.ratelimits.map(({ name, simple }) => [name, simple]),
  mail: config.send_email.map(({ name }) => name),
  objects: config.durable_objects,
  producers: config.queues.producers?.map(({ binding }) => binding),
  variables: Object.keys(config.vars).filter((name) => !production.secrets?.required?.includes(name)),
  version: config.version_metadata,
});

const namesOf = (config: Config) => [
  ...config.d1_databases.map(({ database_name }) => database_name),
  ...config.r2_buckets.map(({ bucket_name }) => bucket_name),
  ...config.ratelimits.map(({ namespace_id }) => namespace_id),
  ...(config.queues.producers ?? []).map(({ queue }) => queue),
];

it("wrangler.toml matches the output of `npm run environments`", () => {
  const toml = readFileSync(path, "utf8");
  expect(withEnvironments(toml, cellsOfProduction())).toBe(toml);
});

/** cells.toml with a second cell, as an operator would add it. */
const twoCells = (changes: Record<string, string | number> = {}) => {
  const second = { name: "b", region: "enam", placement: "aws:us-east-1", mail_share: 40, backup_hour: 7 };
  const lines = Object.entries({ ...second, database_id: "id-of-b", ...changes });
  const table = readFileSync(join(path, "..", "cells.toml"), "utf8")
    .replace("= 100", "= 60")
    .replace('id = ""', 'id = "d"');
  return `${table}\n[[cells]]\n${lines.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join("\n")}\n`;
};

it("each cell has its own resource names, and the front has a binding to each cell [Z1]", () => {
  const written = withEnvironments(readFileSync(path, "utf8"), readCells(twoCells()));
  const folder = mkdtempSync(join(tmpdir(), "cells-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "wrangler.toml"), written);
  const read = (env: string) =>
    unstable_readConfig({ config: join(folder, "wrangler.toml"), env }, { hideWarnings: true });
  const [a, b, front] = [read("production-a"), read("production-b"), read("production-front")];
  expect(namesOf(a).toSorted()).toEqual([...namesOf(production), "partner-api-directory"].toSorted());
  expect(namesOf(b).filter((name) => namesOf(a).includes(name))).toEqual(["partner-api-directory"]);
  expect([a.name, b.name]).toEqual(["partner-api-production", "partner-api-production-b"]);
  expect([b.vars.DATA_REGION, b.vars.BACKUP_HOUR, b.vars.CELL, b.placement?.region]).toEqual([
    "enam",
    "7",
    "b",
    "aws:us-east-1",
  ]);
  expect(front.services.map(({ binding, service }: Record<string, string>) => [binding, service])).toEqual([
    ["CELL_A", a.name],
    ["ADMIN_A", a.name],
    ["CELL_B", b.name],
    ["ADMIN_B", b.name],
  ]);
  // The top level, which is never deployed, has both.
  expect([front.exports, front.build.command]).toEqual([{}, "npm run --silent build:assets"]);
});

it("each-cell deploys the cells before the front, and sets a secret in every environment that uses it [Z1]", () => {
  const cells = ["a", "b"];
  const inCells = ["production-a", "production-b"];
  expect(environmentsFor(["deploy"], cells)).toEqual([...inCells, "production-front"]);
  expect(environmentsFor(["secret", "put", "FRONT_KEY"], cells)).toEqual([...inCells, "production-front"]);
  expect(environmentsFor(["secret", "put", "CURSOR_KEY"], cells)).toEqual(inCells);
  expect(environmentsFor(["deploy"], ["a"])).toEqual(["production"]);
});

it("cells with the same name or database, or with e-mail shares above 100 %, are rejected [Z1]", () => {
  const [, second = ""] = twoCells().split('[[cells]]\nname = "b"');
  const third = `[[cells]]\nname = "c"${second.replace("= 40", "= 0")}`;
  expect(() => readCells(twoCells() + third)).toThrow('Two cells have the database_id "id-of-b"');
  expect(() => readCells(twoCells({ mail_share: 41 }))).toThrow("The cells have 101 % of the mails");
  expect(() => readCells(twoCells({ name: "a" }))).toThrow('Two cells have the name "a"');
});

it("every environment has the same bindings under unique names", () => {
  expect(bindingsOf(production)).toEqual(bindingsOf(development));
  expect(bindingsOf(staging)).toEqual(bindingsOf(development));
  const names = [development, production, staging].flatMap(namesOf);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  for (const { queues } of [development, production, staging])
    for (const { queue, dead_letter_queue = queue } of queues.consumers ?? [])
      expect(queues.producers?.map((producer) => producer.queue)).toEqual(
        expect.arrayContaining([queue, dead_letter_queue]),
      );
});

it("deployed environments have no request URLs in the logs and no keys in their variables", () => {
  for (const { observability, secrets, vars, workers_dev, limits } of [production, staging]) {
    expect(observability).toMatchObject({
      redact_query_string: true,
      logs: { invocation_logs: false },
      traces: { enabled: false },
    });
    expect(Object.keys(vars).filter((name) => secrets?.required?.includes(name))).toEqual([]);
    expect([workers_dev, limits?.cpu_ms]).toEqual([false, 10_000]);
  }
});
