/**
 * `npm run environments`: writes the end of wrangler.toml, the bindings of production and staging. Wrangler inherits
 * none of them, so each environment has development's under its own names, and staging also has what production sets.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const heading = "# Written by `npm run environments` from what stands above.\n";

/** Tables of development that both have. */
const shared =
  /^(?:assets|ratelimits|version_metadata|triggers|r2_buckets|images|send_email|durable_objects\.\w+|exports\.\w+|queues\.\w+)$/;
/** Tables of production that staging has. */
const ofProduction = /^env\.production\.((?:build|placement|limits|secrets|observability)\b.*)$/;

/** The first digit of a rate limit's namespace, so that environments count separately. */
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

/** What wrangler.toml should be: the hand-written part, and the rest derived from it. */
export function withEnvironments(toml: string): string {
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
  return `${byHand}${heading}\n${written.join("\n")}`;
}

if (process.argv[1] === import.meta.filename) {
  const path = join(import.meta.dirname, "..", "wrangler.toml");
  writeFileSync(path, withEnvironments(readFileSync(path, "utf8")));
}
