import { env, exports } from "cloudflare:workers";

/**
 * Sends a request to the Worker or, with THROUGH_FRONT=1 in vitest's environment, through the front of two cells. The
 * tests write to the first cell.
 */
export const served = async (url: string, init: RequestInit = {}): Promise<Response> =>
  env.THROUGH_FRONT === ""
    ? exports.default.fetch(url, init)
    : (await import("./through-front.ts")).throughFront(url, init);
