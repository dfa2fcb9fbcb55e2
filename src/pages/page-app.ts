import type { Services } from "../core/services.ts";

/** The bindings and variables that every page has. */
export interface PageApp {
  Bindings: Env;
  Variables: {
    services: Services;
    requestId: string;
    /** Set by a form that found nothing but responds as if it had. */
    foundNothing?: true;
  };
}
