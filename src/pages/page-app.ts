import type { Services } from "../workspace/services.ts";

/** What every page may use. */
export interface PageApp {
  Bindings: Env;
  Variables: { services: Services; requestId: string };
}
