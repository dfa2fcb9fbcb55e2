import { span } from "../platform/log.ts";
import { orUnavailable } from "../platform/unavailable.ts";

/** A coordinator responds within milliseconds. After this time, the request gets a 503. */
const coordinatorSeconds = 5;

/** Waits for a coordinator's response. Rejects with `Unavailable` if it does not arrive in time. */
export const askCoordinator = <T>(answer: Promise<T>, waitSeconds = 0): Promise<T> =>
  span("coordinator_ms", orUnavailable((coordinatorSeconds + waitSeconds) * 1000, answer));
