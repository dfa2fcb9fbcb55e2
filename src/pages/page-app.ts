import type { Services } from "../core/services.ts";

/** What every page may use. */
export interface PageApp {
  Bindings: Env;
  Variables: {
    services: Services;
    requestId: string;
    /** Set by a form that found nothing but responds as if it had. */
    foundNothing?: true;
  };
}
