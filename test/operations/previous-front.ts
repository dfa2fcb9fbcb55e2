import { createHash } from "node:crypto";
import { join } from "node:path";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { localGatewayKey } from "../../scripts/local/gateway-key.ts";
import { workerBuild } from "../../scripts/local/worker-build.ts";
import { type RunningService, serviceAt } from "../faults/service.ts";
import { migrationsIn } from "./release.ts";

/** Runs `work` through a front built from these sources, with a running service as its only cell. */
export async function throughFrontOf(
  sources: string,
  cell: RunningService,
  token: string,
  work: (service: RunningService) => Promise<unknown>,
): Promise<void> {
  const { outputFiles } = await build({
    ...workerBuild,
    entryPoints: [join(sources, "src", "front", "worker.ts")],
    write: false,
  });
  const front = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: outputFiles[0]?.text ?? "",
      compatibilityDate: "2026-10-23",
      compatibilityFlags: ["nodejs_compat"],
      bindings: { CELLS: "a", FRONT_KEY: "a-front-key", SERVICE_STATE: "open" },
      d1Databases: { DIRECTORY: "directory" },
      serviceBindings: { CELL_A: { external: { address: new URL(cell.baseUrl).host, http: {} } } },
      cf: false,
    }),
  );
  try {
    const { DIRECTORY: directory } = await front.getBindings<{ DIRECTORY: D1Database }>();
    for (const migration of migrationsIn(join(sources, "src", "front", "migrations")).values())
      for (const statement of migration.split(/;\n/))
        if (/\w/.test(statement)) await directory.prepare(statement).run();
    await directory.batch([
      directory.prepare(`INSERT INTO organizations (id, cell, slug, name, plan, link_prefix, state)
        VALUES ('id', 'a', 'slug', 'Name', 'agency', 'prefix', 'open')`),
      directory
        .prepare("INSERT INTO api_tokens (token_hash, organization_id) VALUES (?, 'id')")
        .bind(createHash("sha256").update(token).digest("hex")),
    ]);
    const baseUrl = String(await front.ready);
    await work(serviceAt({ baseUrl, toolsUrl: cell.toolsUrl }, localGatewayKey()));
  } finally {
    await front.dispose();
  }
}
