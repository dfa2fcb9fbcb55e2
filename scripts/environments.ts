/**
 * `npm run environments` generates the end of wrangler.toml: the bindings for production and staging. Wrangler
 * environments do not inherit bindings, so each one repeats development's bindings with its own names. Staging also
 * repeats production's settings.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CellEntry, type CellTable, cellsOfProduction } from "./cells.ts";

const heading = "# Written by `npm run environments` from the tables above.\n";

/** Development tables that both environments repeat. */
const shared =
  /^(?:assets|ratelimits|version_metadata|triggers|r2_buckets|images|send_email|durable_objects\.\w+|exports\.\w+|queues\.\w+)$/;
/** Production tables that staging repeats. */
const ofProduction = /^env\.production\.((?:build|placement|limits|secrets|observability)\b.*)$/;

/** The first digit of a rate limit namespace, which keeps each environment's limits separate. */
const namespaces = { production: "2", staging: "3" };
type Environment = keyof typeof namespaces;

interface Table {
  opening: string;
  path: string;
  lines: string[];
}

function tablesOf(toml: string): Table[] {
  const tables: Table[] = [];
  for (const line of toml.split("\n").filter((one) => one !== "" && !one.startsWith("#"))) {
    const [, opening, path] = /^(\[\[?)([\w.]+)\]/.exec(line) ?? [];
    if (opening && path) tables.push({ opening, path, lines: [] });
    else tables.at(-1)?.lines.push(line);
  }
  return tables;
}

const inEnvironment = (environment: Environment, { opening, path, lines }: Table): string =>
  [
    `${opening}env.${environment}.${path}${opening.replaceAll("[", "]")}`,
    ...lines.map((line) =>
      line
        .replace(/^(?:bucket_name|queue|dead_letter_queue) = "[\w-]+/, (name) => `${name}-${environment}`)
        .replace(/^(namespace_id = ")\d/, `$1${namespaces[environment]}`),
    ),
    "",
  ].join("\n");

/** Returns wrangler.toml with its generated part updated and its hand-written part unchanged. */
export function withEnvironments(toml: string, cells: CellTable): string {
  const [byHand = ""] = toml.split(heading);
  const tables = tablesOf(byHand);
  const bindings = tables.filter(({ path }) => shared.test(path));
  const settings = tables.flatMap((table) => {
    const [, path] = ofProduction.exec(table.path) ?? [];
    return path === undefined ? [] : [{ ...table, path }];
  });
  const written = [
    ...bindings.map((table) => inEnvironment("production", table)),
    ...[...settings, ...bindings].map((table) => inEnvironment("staging", table)),
  ];
  const ofProductionNow = [...tables, ...tablesOf(written.join("\n"))].filter(({ path }) =>
    /^env\.production(?:\.|$)/.test(path),
  );
  const ofCells = cells.cells.length > 1 ? environmentsOfCells(cells, ofProductionNow) : [];
  refuseShared(ofCells);
  return `${byHand}${heading}\n${[...written, ...ofCells].join("\n")}`;
}

/** The environment of the front and those of the cells, which are copies of production with different names. */
function environmentsOfCells({ cells, directoryId }: CellTable, production: readonly Table[]): string[] {
  const names = cells.map(({ name }) => name).join();
  const directory = (environment: string) =>
    `[[env.${environment}.d1_databases]]\nbinding = "DIRECTORY"\ndatabase_name = "partner-api-directory"\n` +
    `database_id = "${directoryId}"\nmigrations_dir = "src/front/migrations"\n`;
  const ofCells = cells.flatMap((cell, index) => [
    ...production.map((table) => inCell(cell, { names, index }, table)),
    directory(`production-${cell.name}`),
  ]);
  const services = cells.flatMap(({ name }, index) => {
    const binding = (kind: string) =>
      `[[env.production-front.services]]\nbinding = "${kind}_${name.toUpperCase()}"\n` +
      `service = "${workerOf(name, index)}"\n`;
    return [binding("CELL"), `${binding("ADMIN")}entrypoint = "Admin"\n`];
  });
  return [
    ...ofCells,
    '[env.production-front]\nname = "partner-api-production-front"\nmain = "src/front/worker.ts"\nworkers_dev = false\n',
    `[env.production-front.vars]\nCELLS = "${names}"\n`,
    // The front serves the same assets as the cells, but has no Durable Object classes.
    '[env.production-front.build]\ncommand = "npm run --silent build:assets"\n',
    "[env.production-front.exports]\n",
    '[env.production-front.secrets]\nrequired = ["SERVICE_STATE", "FRONT_KEY"]\n',
    '[env.production-front.triggers]\ncrons = ["* * * * *"]\n',
    ...production
      .filter(({ path }) => /\.observability\b/.test(path))
      .map(({ opening, path, lines }) =>
        [openingOf(opening, path.replace("production", "production-front")), ...lines, ""].join("\n"),
      ),
    directory("production-front"),
    ...services,
  ];
}

/** The first cell keeps the name that production had before there were several cells. */
const workerOf = (name: string, index: number) => `partner-api-production${index === 0 ? "" : `-${name}`}`;

const openingOf = (opening: string, path: string) => `${opening}${path}${opening.replaceAll("[", "]")}`;

/** The first digit of a rate limit namespace, by cell. */
const namespaceOf = (index: number) => String(index === 0 ? namespaces.production : 3 + index);

function inCell(
  { name, region, placement, mail_share, backup_hour, database_id }: CellEntry,
  { names, index }: { names: string; index: number },
  { opening, path, lines }: Table,
): string {
  const own = index === 0 ? "" : `-${name}`;
  const share = (quota: string) => (quota === "" ? "" : Math.floor((Number(quota) * mail_share) / 100));
  const changed = lines.map((line) =>
    line
      .replace(/^name = "partner-api-production"/, `name = "${workerOf(name, index)}"`)
      .replace(/^((?:database_name|bucket_name|queue|dead_letter_queue) = "[\w-]+)/, `$1${own}`)
      .replace(/^database_id = .*/, (id) =>
        database_id === undefined ? id : `database_id = "${database_id}"`,
      )
      .replace(/^(namespace_id = ")\d/, `$1${namespaceOf(index)}`)
      .replace(/^region = .*/, `region = "${placement}"`)
      .replace(/^DATA_REGION = .*/, `DATA_REGION = "${region}"`)
      .replace(/^BACKUP_HOUR = .*/, `BACKUP_HOUR = "${backup_hour}"`)
      .replace(/^MAIL_QUOTA = "(\d*)"/, (_, quota) => `MAIL_QUOTA = "${share(quota)}"`)
      .replace(/^required = \[/, 'required = ["FRONT_KEY", '),
  );
  const added = path === "env.production.vars" ? [`CELL = "${name}"`, `CELLS = "${names}"`] : [];
  const place = path.replace(/^env\.production/, `env.production-${name}`);
  return [openingOf(opening, place), ...changed, ...added, ""].join("\n");
}

/** Throws if two cells share a resource. A queue may appear twice in one cell. */
function refuseShared(environments: readonly string[]): void {
  const owners = new Map<string, string>();
  for (const table of environments) {
    const cell = /env\.production-(\w+)/.exec(table)?.[1] ?? "";
    if (cell === "front" || table.includes('"DIRECTORY"')) continue;
    for (const [named] of table.matchAll(/^(?:database_id|bucket_name|queue|namespace_id) = ".*"/gm)) {
      const owner = owners.get(named) ?? cell;
      if (owner !== cell) throw new Error(`The cells ${owner} and ${cell} have the same ${named}`);
      owners.set(named, owner);
    }
  }
}

if (process.argv[1] === import.meta.filename) {
  const path = join(import.meta.dirname, "..", "wrangler.toml");
  writeFileSync(path, withEnvironments(readFileSync(path, "utf8"), cellsOfProduction()));
}
