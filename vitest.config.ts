import { globSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { nativeModules, servesNativeModules } from "./test/support/native-modules.ts";
import { WaitingBesideBusy } from "./test/support/waiting-beside-busy.ts";

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

/** Calls what works for every workspace, so for what other files left, too: the cron or its parts, a new key. */
const disturbs = /\b(scheduled|minute|purge\w+|resealSecrets)\(/;

const ofTheWorker = [
  ...ofTheRuntime,
  ...globSync("test/**/*.test.{ts,tsx}", { exclude: onTheMachine }).toSorted(),
];
const alone = ofTheWorker.filter((path) => disturbs.test(readFileSync(path, "utf8")));

const worker = [
  servesNativeModules(),
  cloudflareTest(async () => ({
    wrangler: { configPath: "./wrangler.toml" },
    miniflare: {
      modulesRules: [{ type: "ESModule", include: [nativeModules] }],
      bindings: {
        TEST_MIGRATIONS: await readD1Migrations("./migrations"),
        ALLOW_LOCAL_WEBHOOK_TARGETS: "true",
        ...testKeys,
      },
    },
  })),
];

const inWorkerd = {
  setupFiles: [
    "./test/support/stub-methods.ts",
    "./test/support/apply-migrations.ts",
    "./test/support/log-lines.ts",
  ],
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // Each library is bundled once, so that it loads as one module rather than hundreds, file after file.
  deps: { optimizer: { ssr: { enabled: true, include: libraries } } },
};

/**
 * Four projects. Pure code, whose tests stand beside it, runs in Node, in one process: the inner loop
 * (`npm run test:quick`). Everything else of the Worker runs inside workerd, on real local bindings with the
 * migrations applied: files that do not disturb each other share a process, each other one has its own. The tests
 * of the commands, the pages and the client start real servers and run in Node.
 */
export default defineConfig({
  test: {
    // Several tests wait for real time limits: four files at a time keep two cores busy meanwhile.
    maxWorkers: 4,
    sequence: { sequencer: WaitingBesideBusy },
    globalSetup: [
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
      { plugins: worker, test: { ...inWorkerd, name: "alone", include: alone } },
      {
        plugins: worker,
        test: {
          ...inWorkerd,
          name: "worker",
          include: ofTheWorker.filter((path) => !alone.includes(path)),
          isolate: false,
        },
      },
      {
        test: {
          name: "commands",
          include: onTheMachine,
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
