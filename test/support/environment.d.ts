declare namespace Cloudflare {
  interface Env {
    /** Writes that test/fuzz/dry-run.test.ts generates. */
    DRY_RUN_WRITES: string;
    TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
  }
  interface GlobalProps {
    mainModule: typeof import("../../src/worker.ts");
  }
}
