import type { BuildOptions } from "esbuild";

/**
 * Options that bundle a Worker into one JavaScript file, like `wrangler deploy`. Only wrangler also keeps the names of
 * functions, for stack traces.
 */
export const workerBuild = {
  bundle: true,
  format: "esm",
  target: "es2024",
  conditions: ["workerd", "worker", "browser"],
  external: ["cloudflare:*", "node:*"],
} satisfies BuildOptions;
