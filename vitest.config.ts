import { tmpdir } from "node:os";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import "./scripts/quick-imports.js";
import { LongestFirst } from "./test/support/longest-first.ts";
import { nativeModules, servesNativeModules } from "./test/support/native-modules.ts";

/** For every process that a run starts. */
const quickImports = new URL("./scripts/quick-imports.js", import.meta.url).href;
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ""} --import=${quickImports}`;

const onTheMachine = [
  "test/operations/**/*.test.ts",
  "test/browser/**/*.test.{ts,tsx}",
  "test/client/**/*.test.ts",
];

/** What the tests import themselves: the Worker's own stand in its bundle. */
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

/** Their verdict hangs on the runtime itself: its fetch, its D1. */
const ofTheRuntime = [
  "src/platform/post-webhook.test.ts",
  "src/platform/resolver.test.ts",
  "client/src/stores/d1.test.ts",
];

/** Keys of no other service: those of development are refused on any host but loopback. */
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
 * Three projects, whose files share processes. Pure code, whose tests stand beside it, runs in Node: the inner loop
 * (`npm run test:quick`). Everything else of the Worker runs inside workerd, on real local bindings, each file on an
 * empty database. The tests of the commands, the pages and the client start real servers and run in Node.
 */
export default defineConfig({
  test: {
    // Several tests wait for real time limits: six files at a time keep two cores busy meanwhile.
    maxWorkers: 6,
    // The order of a clean clone: the durations of an earlier run would put all files that wait side by side.
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
              // The socket between the runner and its tests stays on this machine.
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
          // Each library is bundled once, so that it loads as one module rather than hundreds, file after file.
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
            // Of the processes that the tests start, hundreds in all: each parses its modules once.
            NODE_COMPILE_CACHE: `${import.meta.dirname}/.wrangler/compile-cache`,
            // Real services write to the real disk.
            TMPDIR: tmpdir(),
          },
          testTimeout: 600_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
