import type { PageServices } from "./page-services.ts";

/** What every page may use. */
export interface PageApp {
  Bindings: Env;
  Variables: { services: PageServices; requestId: string };
}
