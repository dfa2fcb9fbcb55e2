import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { TestProject } from "vitest/node";

/**
 * Webhook receivers, good and hostile, for the tests in workerd. `inject("receivers")` returns their base URLs. A path
 * is `/<behavior>/<argument>/<anything>`; end it with a unique part so that you can find your requests.
 */
export interface Receivers {
  http: string;
  /** The same behaviors over https with a self-signed certificate. */
  selfSigned: string;
  /** Accepts connections but never responds: `http://` hangs before the response, `https://` during the handshake. */
  silent: { http: string; https: string };
  /** Connections are refused, because nothing listens there. */
  closed: string;
}

declare module "vitest" {
  interface ProvidedContext {
    receivers: Receivers;
  }
}

/** Runs the receivers in a separate thread, so that the test runner does not slow them down. */
export default async function setup(project: TestProject): Promise<() => Promise<unknown>> {
  const thread = new Worker(`${import.meta.dirname}/receivers/serve.ts`);
  const [receivers] = await once(thread, "message");
  project.provide("receivers", receivers);
  return () => thread.terminate();
}
