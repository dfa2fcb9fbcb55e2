import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const client = join(import.meta.dirname, "..");

/** A recorded value and the client's type for it. */
export interface Sample {
  type: string;
  value: unknown;
}

/** Names of types in the module of `typeTest`. */
export const answerType = (path: string, method: string, status: number | string) =>
  `AnswerOf<"${path}", "${method}", ${status}>`;
export const bodyType = (path: string, method: string) => `BodyOf<"${path}", "${method}">`;

const assigned = ({ type, value }: Sample, index: number) =>
  `export const sample${index}: ${type} = ${JSON.stringify(value)};`;

/** Generates a module that assigns each sample to its type. The test is that it compiles. */
export const typeTest = (samples: readonly Sample[]): string =>
  `import type { WebhookEvent } from "${client}/src/contract.ts";
import type { paths } from "${client}/src/schema.ts";

type Json<T> = T extends { content: { "application/json": infer Value } } ? Value : never;
type At<T, Key> = Key extends keyof T ? T[Key] : never;
type AnswerOf<P extends keyof paths, M extends string, S extends number | "default"> =
  Json<At<At<At<paths[P], M>, "responses">, S>>;
type BodyOf<P extends keyof paths, M extends string> = Json<NonNullable<At<At<paths[P], M>, "requestBody">>>;

${samples.map(assigned).join("\n")}
export const event: WebhookEvent | undefined = undefined;
`;

/** Returns the compiler's errors in a file; empty if there are none. */
export function compilerErrors(file: string): Promise<string> {
  const root = createRequire(join(client, "..", "package.json"));
  const tsc = join(dirname(root.resolve("typescript/package.json")), "bin", "tsc");
  const options =
    "--ignoreConfig --noEmit --strict --skipLibCheck --allowImportingTsExtensions --target esnext";
  const modules = "--module esnext --moduleResolution bundler --types node --lib esnext,dom";
  return new Promise((resolve) =>
    execFile(process.execPath, [tsc, ...`${options} ${modules}`.split(" "), file], (_, stdout, stderr) =>
      resolve(stdout + stderr),
    ),
  );
}
