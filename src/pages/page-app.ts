import type { Services } from "../core/services.ts";

/** What every page may use. */
export interface PageApp {
  Bindings: Env;
  Variables: {
    services: Services;
    requestId: string;
    /** A form that found nothing, although its response is that of one that did. */
    foundNothing?: true;
  };
}
