import { tmpdir } from "node:os";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import "./scripts/quick-imports.js";
import { LongestFirst } from "./test/support/longest-first.ts";
import { nativeModules, servesNativeModules } from "./test/support/native-modules.ts";

/** Every process of a run loads this module. */
const quickImports = new URL("./scripts/quick-imports.js", import.meta.url).href;
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ""} --import=${quickImports}`;

const onTheMachine = [
  "test/operations/**/*.test.ts",
  "test/browser/**/*.test.{ts,tsx}",
  "test/client/**/*.test.ts",
];

/** The libraries that tests import directly. The Worker's own libraries are in its bundle. */
const libraries = [
  "@cfworker/json-schema",
  "canonicalize",
  "drizzle-orm",
  "drizzle-orm/sqlite-core",
  "fast-check",
  "jose",
  "standardwebhooks",
  "stripe",
  "svix",
  "zod",
];

/** Unit tests that depend on the runtime's fetch or D1, and therefore run inside workerd. */
const ofTheRuntime = [
  "src/platform/post-webhook.test.ts",
  "src/platform/resolver.test.ts",
  "client/src/stores/d1.test.ts",
];

/** The tests have their own keys, because the development keys are rejected on any host except loopback. */
const testKeys = {
  GATEWAY_PUBLIC_KEY: "pk_test_5b1c0f7e2d9a4c38",
  CURSOR_KEY: "a-cursor-key-of-the-tests-000000000000000000",
  CODE_KEY: "a-code-key-of-the-tests-00000000000000000000",
  STRIPE_WEBHOOK_SECRET: "whsec_test_7d2f4a9c1e0b8d63",
  WEBHOOK_SECRET_KEY: Buffer.from("a-key-of-the-tests-0000000000000").toString("base64"),
  SIGN_OFF_KEYS: JSON.stringify({
    keys: [
      {
        kid: "test",
        kty: "OKP",
        crv: "Ed25519",
        x: "_nLfOJivqgjeq5dbcKwm0CwSK-u51JMmZY_MTAVN1cc",
        d: "2QmLJRy_cHqqf_5UZpIGiaffCSaLFLxpJGJpFq-R4OM",
      },
    ],
  }),
};

/**
 * There are three projects. The files of a project share processes. Tests of pure code are next to the code and run in
 * Node (`npm run test:quick`). All other tests of the Worker run inside workerd with real local bindings, and each file
 * starts with an empty database. Tests of the commands, the pages and the client start real servers and run in Node.
 */
export default defineConfig({
  test: {
    // Several tests wait for real time limits. Six files at a time keep two cores busy while they wait.
    maxWorkers: 6,
    // Runs files in the same order as in a clean clone. Durations from an earlier run would group all waiting files.
    cache: false,
    sequence: { sequencer: LongestFirst },
    globalSetup: [
      // First, because databases-in-memory.ts moves the directory of temporary files.
      "./test/support/unpacked-browser.ts",
      "./test/support/built-assets.ts",
      "./test/support/databases-in-memory.ts",
      "./test/support/hostile-receivers.ts",
      "./test/support/recorded-answers.ts",
    ],
    reporters: ["default", "./test/support/summary.ts"],
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.{ts,tsx}", "client/src/**/*.test.ts"],
          exclude: ofTheRuntime,
          testTimeout: 30_000,
          pool: "threads",
          isolate: false,
          restoreMocks: true,
        },
      },
      {
        plugins: [
          servesNativeModules(),
          cloudflareTest(async () => ({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              // The socket between the runner and its tests is local, so compression would only cost time.
              compatibilityFlags: ["no_web_socket_compression"],
              modulesRules: [{ type: "ESModule", include: [nativeModules] }],
              // A second cell's database and bucket, and the directory (test/support/cells.ts).
              d1Databases: { DB_OF_B: "cell-b", TEST_DIRECTORY: "directory" },
              r2Buckets: { IMAGES_OF_B: "images-of-b" },
              bindings: {
                TEST_MIGRATIONS: await readD1Migrations("./migrations"),
                DIRECTORY_MIGRATIONS: await readD1Migrations("./src/front/migrations"),
                ALLOW_LOCAL_WEBHOOK_TARGETS: "true",
                THROUGH_FRONT: process.env.THROUGH_FRONT ?? "",
                DRY_RUN_WRITES: process.env.DRY_RUN_WRITES ?? "50",
                ...testKeys,
              },
            },
          })),
        ],
        test: {
          name: "worker",
          include: ["test/**/*.test.{ts,tsx}", ...ofTheRuntime],
          exclude: onTheMachine,
          isolate: false,
          setupFiles: [
            "./test/support/stub-methods.ts",
            "./test/support/empty-database.ts",
            "./test/support/log-lines.ts",
          ],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Bundles each library once, so that every test file loads one module instead of hundreds.
          deps: { optimizer: { ssr: { enabled: true, include: libraries } } },
        },
      },
      {
        test: {
          name: "commands",
          include: onTheMachine,
          isolate: false,
          globalSetup: "./test/support/one-service.ts",
          env: {
            // The tests start hundreds of processes. With this cache, each module is compiled only once.
            NODE_COMPILE_CACHE: `${import.meta.dirname}/.wrangler/compile-cache`,
            // The services that these tests start write to the real disk.
            TMPDIR: tmpdir(),
          },
          testTimeout: 600_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
