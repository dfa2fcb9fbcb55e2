import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { databaseIdOf } from "./cells.ts";

/**
 * Opens the database and images of a state that no server is using, with a Worker to access them. Names, ids and paths
 * match `wrangler dev` (wrangler.toml). `databases` lists additional databases by binding.
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
