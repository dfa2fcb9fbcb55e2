import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

const onTheMachine = [
  "test/operations/**/*.test.ts",
  "test/browser/**/*.test.{ts,tsx}",
  "test/client/**/*.test.ts",
];

/**
 * Nearly every test file runs inside workerd, on real local bindings of its own, with the migrations applied. The tests
 * of the commands and of the client start real servers and run in Node.
 */
export default defineConfig({
  test: {
    // Several tests wait for real time limits: three files at a time keep two cores busy meanwhile.
    maxWorkers: 3,
    reporters: ["default", "./test/support/tally.ts"],
    projects: [
      {
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
          name: "worker",
          include: ["src/**/*.test.{ts,tsx}", "client/src/**/*.test.ts", "test/**/*.test.{ts,tsx}"],
          exclude: onTheMachine,
          globalSetup: ["./test/support/hostile-receivers.ts", "./test/support/recorded-answers.ts"],
          setupFiles: ["./test/support/apply-migrations.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // Stripe's library is 140 modules: bundled once, they load as one.
          deps: { optimizer: { ssr: { enabled: true, include: ["stripe"] } } },
        },
      },
      {
        test: {
          name: "commands",
          include: onTheMachine,
          testTimeout: 600_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
