import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { TestProject } from "vitest/node";

/**
 * Real webhook receivers, good and hostile, for the tests that run in workerd: `inject("receivers")` has their
 * base URLs. A path is `/<behaviour>/<argument>/<anything>`; end it with a unique part to find your requests
 * again.
 */
export interface Receivers {
  /** Behaviours over http. */
  http: string;
  /** The same over https, with a certificate that no authority signed. */
  selfSigned: string;
  /** Accepts connections but never responds: `http://` hangs in the response, `https://` in the handshake. */
  silent: { http: string; https: string };
  /** Refuses connections, since nothing listens there. */
  closed: string;
}

declare module "vitest" {
  interface ProvidedContext {
    receivers: Receivers;
  }
}

/** In a separate thread, so that the runner's other work does not slow down a receiver. */
export default async function setup(project: TestProject): Promise<() => Promise<unknown>> {
  const thread = new Worker(`${import.meta.dirname}/receivers/serve.ts`);
  const [receivers] = await once(thread, "message");
  project.provide("receivers", receivers);
  return () => thread.terminate();
}
