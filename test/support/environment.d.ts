declare namespace Cloudflare {
  interface Env {
    /** The number of writes that test/fuzz/dry-run.test.ts generates. */
    DRY_RUN_WRITES: string;
    TEST_MIGRATIONS: import("cloudflare:test").D1Migration[];
    DIRECTORY_MIGRATIONS: import("cloudflare:test").D1Migration[];
    /** "1" sends requests through the front (test/support/served.ts). */
    THROUGH_FRONT: string;
    DB_OF_B: D1Database;
    IMAGES_OF_B: R2Bucket;
    TEST_DIRECTORY: D1Database;
  }
  interface GlobalProps {
    mainModule: typeof import("../../src/worker.ts");
  }
}
