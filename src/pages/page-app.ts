import type { PageServices } from "./page-services.ts";

/** What every page of ours has in hand. */
export interface PageApp {
  Bindings: Env;
  Variables: { services: PageServices; requestId: string };
}
