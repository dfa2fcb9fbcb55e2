import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Unstable_Config as Config, unstable_readConfig } from "wrangler";
import { withEnvironments } from "../../scripts/environments.ts";

/** wrangler.toml: what a deploy of production or staging binds. */

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

it("is what `npm run environments` writes", () => {
  const toml = readFileSync(path, "utf8");
  expect(withEnvironments(toml)).toBe(toml);
});

it("gives every environment the same bindings, under unique names", () => {
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

it("keep no request's address, and no key, if they are reachable from outside", () => {
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
