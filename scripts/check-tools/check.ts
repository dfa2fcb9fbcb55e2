import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type OpenApiDocument, type Request, requestsOf } from "./minimal-requests.ts";
import { checkByPostman } from "./postman.ts";
import { checkByPrism } from "./prism.ts";

/**
 * `npm run check:tools`, which runs before a release. Checks that partners' code generators accept openapi.json, and
 * that the generated types accept a minimal request for every operation and reject invalid ones. Also validates
 * recorded calls with Prism, and runs the Postman collection.
 */
const tools = {
  "@hey-api/openapi-ts": "0.99.0",
  "@stoplight/prism-cli": "5.16.0",
  newman: "6.2.2",
  "openapi-typescript": "7.13.0",
  orval: "8.38.0",
  typescript: "5.9.3",
  zod: "4.6.6",
};

const root = join(import.meta.dirname, "..", "..");
const here = join(root, ".wrangler", "check-tools");
const generated = join(here, "generated");
const document: OpenApiDocument = JSON.parse(readFileSync(join(root, "openapi.json"), "utf8"));
const requests = requestsOf(document);

const commandOf = (name: string) => join(here, "node_modules", ".bin", name);
const run = (command: string, ...args: string[]) =>
  promisify(execFile)(command, args, { cwd: here, maxBuffer: 1e8 });

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** A code generator, and its TypeScript types for an operation's body and responses. */
interface Generator {
  name: string;
  imports: string;
  body(request: Request): string;
  answer(request: Request, status: string): string;
  generate(): Promise<unknown>;
}

const json = '["content"]["application/json"]';

const generators: Generator[] = [
  {
    name: "openapi-typescript",
    imports: 'import type { paths } from "./openapi-typescript.ts";',
    body: ({ path, method }) => `NonNullable<paths["${path}"]["${method}"]["requestBody"]>${json}`,
    answer: ({ path, method }, status) => `paths["${path}"]["${method}"]["responses"][${status}]${json}`,
    generate: () =>
      run(
        commandOf("openapi-typescript"),
        join(root, "openapi.json"),
        "-o",
        "generated/openapi-typescript.ts",
      ),
  },
  {
    name: "@hey-api/openapi-ts",
    imports: 'import type * as hey from "./hey/types.gen.ts";',
    body: ({ operationId }) => `NonNullable<hey.${capital(operationId)}Data["body"]>`,
    answer: ({ operationId }, status) =>
      `hey.${capital(operationId)}${Number(status) < 400 ? "Responses" : "Errors"}[${status}]`,
    generate: () =>
      run(
        commandOf("openapi-ts"),
        "-i",
        join(root, "openapi.json"),
        "-o",
        "generated/hey",
        "-p",
        "@hey-api/typescript",
        "zod",
      ),
  },
  {
    name: "orval",
    imports: 'import type * as orval from "./orval.ts";',
    body: ({ operationId, pathValues }) =>
      `NonNullable<Parameters<typeof orval.${operationId}>[${pathValues}]>`,
    answer: ({ operationId }, status) =>
      `Extract<Awaited<ReturnType<typeof orval.${operationId}>>, { status: ${status} }>["data"]`,
    generate: () =>
      run(
        commandOf("orval"),
        ...["--input", join(root, "openapi.json"), "--output", "generated/orval.ts"],
        ...["--client", "fetch", "--mode", "single"],
      ),
  },
];

const hasJson = ({ path }: Request) => !path.endsWith("/image");

/**
 * A file that compiles only if the types accept minimal bodies, reject invalid ones, and have the discriminating
 * fields.
 */
function typeTest({ imports, body, answer }: Generator): string {
  const lines = requests.flatMap((request) => {
    const { taken, refused, statuses } = request;
    const success = statuses.filter((status) => status < "300");
    const failed = statuses.filter((status) => status >= "400");
    const answers = (of: string[]) => of.map((status) => answer(request, status)).join(" | ");
    return [
      ...taken.map((value) => `take<${body(request)}>(${JSON.stringify(value)});`),
      ...refused.flatMap((value) => [
        `// @ts-expect-error ${request.operationId}`,
        `take<${body(request)}>(${JSON.stringify(value)});`,
      ]),
      `take<string | undefined>(one<${answers(failed)}>().code);`,
      ...(request.method === "post" && statuses.includes("409") && !request.path.startsWith("/api-create")
        ? [`take<true | undefined>(one<${answers(success)}>().idempotent_replay);`]
        : []),
      ...(hasJson(request) ? [`take<object>(one<${answers(success)}>());`] : []),
    ];
  });
  return `${imports}\ndeclare function take<T>(value: T): void;\ndeclare function one<T>(): T;\n${lines.join("\n")}\n`;
}

/** Checks that a generated validator still accepts a page when an enum gains a value. */
async function checkOpenSets(): Promise<string[]> {
  const zod: Record<string, { safeParse(value: unknown): { success: boolean } }> = await import(
    join(generated, "hey", "zod.gen.ts")
  );
  const text = JSON.stringify(document);
  return ["Client", "Project", "Invoice", "Deliverable"].flatMap((name) => {
    const list = `list${name}s`;
    const operation = Object.values(document.paths).find(({ get }) => get?.operationId === list)?.get;
    const media = JSON.parse(JSON.stringify(operation?.responses["200"])).content["application/json"];
    const page = media.examples.answer.value;
    for (const record of page.data)
      for (const field of ["status", "review_state", "current_state"])
        if (field in record) record[field] = "a state to come";
    const schema = zod[`z${name}Page`];
    if (!schema || !text.includes(list)) return [`no z${name}Page`];
    return schema.safeParse(page).success ? [] : [`z${name}Page refuses a state that it does not know`];
  });
}

rmSync(generated, { recursive: true, force: true });
mkdirSync(generated, { recursive: true });
const pinned = Object.entries(tools).map(([name, version]) => `${name}@${version}`);
const quietly = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"];
await run("npm", "install", "--prefix", here, ...quietly, ...pinned);
const problems: string[] = [];
for (const generator of generators) {
  await generator.generate();
  const file = `generated/check-${generator.name.replaceAll(/\W/g, "-")}.ts`;
  writeFileSync(join(here, file), typeTest(generator));
  const options =
    "--noEmit --strict --skipLibCheck --target es2024 --lib es2024,dom,dom.iterable --module esnext";
  const found = await run(
    commandOf("tsc"),
    ...options.split(" "),
    "--moduleResolution",
    "bundler",
    "--allowImportingTsExtensions",
    file,
  ).then(
    () => "",
    (error) => String(error.stdout),
  );
  console.log(`${found ? "✗" : "✓"} ${generator.name}: ${requests.length} operations`);
  if (found) problems.push(`${generator.name}:\n${found}`);
}
problems.push(
  ...(await checkOpenSets()),
  ...(await checkByPrism(commandOf("prism"))),
  ...(await checkByPostman(commandOf("newman"))),
);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
