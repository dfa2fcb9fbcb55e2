import type { Services } from "../domain/services.ts";

/** What every page may use. */
export interface PageApp {
  Bindings: Env;
  Variables: { services: Services; requestId: string };
}
