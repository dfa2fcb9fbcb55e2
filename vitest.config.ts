import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

/** Every test file runs inside workerd, on real local bindings of its own, with the migrations applied. */
export default defineConfig({
  plugins: [
    cloudflareTest(async () => ({
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: {
        bindings: {
          TEST_MIGRATIONS: await readD1Migrations("./migrations"),
          ALLOW_LOCAL_WEBHOOK_TARGETS: "true",
        },
      },
    })),
  ],
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["./test/support/hostile-receivers.ts"],
    setupFiles: ["./test/support/apply-migrations.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
