import { globSync } from "node:fs";
import { join, relative } from "node:path";
import { type BuildOptions, build } from "esbuild";
import type { Plugin } from "vitest/config";

const root = join(import.meta.dirname, "..", "..");
const bundled = ".wrangler/test/modules.mjs";

export const nativeModules = `**/${bundled}`;

const options = {
  absWorkingDir: root,
  format: "esm",
  target: "esnext",
  conditions: ["workerd", "worker", "browser"],
  metafile: true,
} as const satisfies BuildOptions;

async function exportsOf(paths: string[]): Promise<Map<string, string[]>> {
  const { metafile } = await build({ ...options, entryPoints: paths, outdir: "/", write: false });
  return new Map(Object.values(metafile.outputs).map((output) => [output.entryPoint ?? "", output.exports]));
}

function writeBundle(paths: string[]): Promise<unknown> {
  const contents = paths.map((path, index) => `export * as m${index} from "./${path}";`).join("\n");
  return build({
    ...options,
    stdin: { contents, resolveDir: root },
    outfile: bundled,
    bundle: true,
    external: ["cloudflare:*", "node:*"],
  });
}

/**
 * Serves the modules in src and openapi.json as one bundle that workerd loads itself. Vitest would otherwise send each
 * of about 300 modules to every test file, which takes longer than most files' tests. Each module exists only once, no
 * matter which file imports it.
 */
export function servesNativeModules(): Plugin {
  const paths = ["openapi.json", ...globSync("src/**/*.{ts,tsx}", { cwd: root, exclude: ["**/*.test.*"] })];
  let names = new Map<string, string[]>();
  let prepared: Promise<[Map<string, string[]>, unknown]> | undefined;
  return {
    name: "native-modules",
    enforce: "pre",
    async configureVitest({ vitest, defineCacheKeyGenerator }) {
      // Watch mode needs separate modules, so that a change reruns only the tests that import it.
      if (vitest.config.watch) return;
      // The next run may number the modules differently.
      defineCacheKeyGenerator(({ id }) => (names.has(relative(root, id)) ? false : null));
      prepared ??= Promise.all([exportsOf(paths), writeBundle(paths)]);
      [names] = await prepared;
    },
    load(id) {
      const path = relative(root, id);
      const module = `m${paths.indexOf(path)}`;
      const exported = names
        .get(path)
        ?.map((name) =>
          name === "default"
            ? `export default ${module}.default;`
            : `export const ${name} = ${module}.${name};`,
        );
      if (!exported) return null;
      return { code: `import { ${module} } from "/${bundled}";\n${exported.join("\n")}`, moduleType: "js" };
    },
  };
}
