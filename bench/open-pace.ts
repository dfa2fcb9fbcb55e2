import { DurableObject } from "cloudflare:workers";

/**
 * Grants every POST at once, to measure what the sender can do instead of the pace that protects a receiving
 * host.
 */
export class OpenPace extends DurableObject {
  take(wanted: Record<string, number>): {
    granted: Record<string, number>;
    waitSeconds: Record<string, number>;
  } {
    return { granted: wanted, waitSeconds: {} };
  }
}

export default {};
