import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** Each file begins with an empty service: the process that runs it ran others before. */
await reset();
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
