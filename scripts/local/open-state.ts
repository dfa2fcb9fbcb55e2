import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { databaseIdOf } from "./cells.ts";

/**
 * Opens a state's database and images through a Worker, while no server is using the state. Names, ids and paths match
 * `wrangler dev` (wrangler.toml). `databases` lists additional databases by binding.
 */
export const openState = (directory: string, script = "", databases = {}): Miniflare =>
  new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script,
      compatibilityDate: "2026-10-23",
      d1Databases: { DB: databaseIdOf(0), ...databases },
      r2Buckets: { IMAGES: "partner-api-images" },
      resourcePersistencePath: join(directory, "v3"),
      cf: false,
    }),
  );
