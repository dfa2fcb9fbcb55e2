import { docstring, wrapped } from "../../client-python/scripts/schema.ts";
import type { RefusalEntry } from "../../src/contract/refusals/entry.ts";

/** Generates the client libraries' error classes, one for each error code. */

const longestComment = 110;

const pascalCase = (code: string): string =>
  code.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

/** Classes with a name that is not derived from their code. The derived name becomes an alias. */
const ownNames: Readonly<Record<string, string>> = { rate_limit_exceeded: "RateLimitError" };

/** Each code, with its class, its alias and its meanings. */
function classesOf(refusals: Readonly<Record<string, RefusalEntry>>) {
  const coded = Object.values(refusals).filter(({ code, meaning }) => code && meaning);
  return [...Map.groupBy(coded, ({ code }) => String(code))].map(([code, entries]) => ({
    code,
    name: ownNames[code] ?? `${pascalCase(code)}Error`,
    aliases: code in ownNames ? [`${pascalCase(code)}Error`] : [],
    meanings: entries.map(({ meaning }) => `${meaning}.`),
  }));
}

export function typescriptErrors(refusals: Readonly<Record<string, RefusalEntry>>): string {
  return [
    "// Written by npm run openapi.",
    'import { RefusedError } from "./errors.ts";',
    ...classesOf(refusals).flatMap(({ name, aliases, meanings }) => [
      "",
      ...(meanings.length > 1
        ? ["/**", ...meanings.map((meaning) => ` * - ${meaning}`), " */"]
        : ["/**", ...wrapped(meanings.join(), longestComment).map((line) => ` * ${line}`), " */"]),
      `export class ${name} extends RefusedError {}`,
      ...aliases.map((alias) => `export { ${name} as ${alias} };`),
    ]),
    "",
  ].join("\n");
}

export function pythonErrors(refusals: Readonly<Record<string, RefusalEntry>>): string {
  const classes = classesOf(refusals);
  const names = classes.flatMap(({ name, aliases }) => [name, ...aliases]);
  return [
    "# Written by npm run openapi.",
    '"""The error of each code."""',
    "",
    "from .errors import RefusedError",
    ...classes.flatMap(({ name, aliases, meanings }) => [
      "",
      "",
      `class ${name}(RefusedError):`,
      docstring(meanings.join("\n"), "    ").trimEnd(),
      ...aliases.flatMap((alias) => ["", "", `${alias} = ${name}`]),
    ]),
    "",
    "",
    "BY_CODE: dict[str, type[RefusedError]] = {",
    ...classes.map(({ code, name }) => `    "${code}": ${name},`),
    "}",
    "",
    "__all__ = [",
    ...names.sort().map((name) => `    "${name}",`),
    "]",
    "",
  ].join("\n");
}
