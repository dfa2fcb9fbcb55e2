/**
 * Writes test/contract/README.md, which lists the tests for each clause of docs/contract.md. Test titles end with their
 * clauses. With --check, only verifies that the file is up to date. Each clause needs a test or a reason in `promises`.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";

const { values: options } = parseArgs({ options: { check: { type: "boolean" } } });
const root = join(import.meta.dirname, "..");
const folder = join(root, "test/contract");
const page = join(folder, "README.md");

/** Clauses about future releases, which cannot be tested yet. */
const promises: Record<string, string> = {
  K2: "a rule for later releases, which [CONTRIBUTING.md](../../CONTRIBUTING.md) applies to every change",
  K5: "a rule for later announcements in [CHANGELOG.md](../../CHANGELOG.md)",
};

const contract = readFileSync(join(root, "docs/contract.md"), "utf8");
const groups = [...contract.matchAll(/^## ([A-Z])\. (.+)$/gm)].map(([, letter = "", name = ""]) => ({
  letter,
  name,
}));
const clauses = [...contract.matchAll(/^\*\*([A-Z]\d+)\.\*\*/gm)].map(([, id = ""]) => id);

interface Promised {
  file: string;
  title: string;
  ids: string[];
}

/** The titles in a test file that cite clauses, such as `counts every request once [R2, R3]`. */
function titlesOf(path: string): Promised[] {
  const text = readFileSync(join(root, path), "utf8");
  return [...text.matchAll(/(["`])([^"`\n]+) \[([A-Z]\d+(?:, [A-Z]\d+)*)\]\1/g)].map(
    ([, , title = "", ids = ""]) => ({
      file: relative(folder, join(root, path)),
      title,
      ids: ids.split(", "),
    }),
  );
}

const titles = globSync("{src,test}/**/*.test.{ts,tsx}", { cwd: root }).sort().flatMap(titlesOf);

const wrong = [
  ...titles.flatMap(({ file, ids }) =>
    ids
      .filter((id) => !clauses.includes(id))
      .map((id) => `${file} cites ${id}, which docs/contract.md does not have`),
  ),
  ...clauses
    .filter((id) => !(id in promises) && !titles.some(({ ids }) => ids.includes(id)))
    .map((id) => `no test's title ends with [${id}]`),
];
if (wrong.length > 0) {
  console.error(wrong.join("\n"));
  process.exit(1);
}

const testsOf = (id: string) =>
  titles
    .filter(({ ids }) => ids.includes(id))
    .map(({ file, title }) => `[${file.replaceAll("../", "")}](${file}): ${title.replaceAll("|", "\\|")}`);

const text = `# Tests by clause

This page lists the tests of each clause in [docs/contract.md](../../docs/contract.md). \`npm run contract-table\`
generates it from the tests' titles, which end with the clauses that they verify (\`counts every request once [R2]\`).

A test with \`$name\` or \`%s\` in its title runs once for each route, operation or case. Every response that a test gets
through \`test/support/partner.ts\` is also validated against [openapi.json](../../openapi.json): path, method, status,
headers, content type and body ([conformance.ts](../support/conformance.ts)).
${groups
  .map(
    ({ letter, name }) => `
## ${letter}. ${name}

| clause | tests |
|---|---|
${clauses
  .filter((id) => id.startsWith(letter))
  .map((id) => `| ${id} | ${promises[id] ?? testsOf(id).join("<br>")} |`)
  .join("\n")}
`,
  )
  .join("")}`;

if (!options.check) {
  writeFileSync(page, text);
} else if (readFileSync(page, "utf8") !== text) {
  console.error("test/contract/README.md is out of date. Run `npm run contract-table` and commit it.");
  process.exit(1);
}
