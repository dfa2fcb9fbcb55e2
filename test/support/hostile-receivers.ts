import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { TestProject } from "vitest/node";

/**
 * Real webhook receivers, good and hostile, for the tests that run in workerd: `inject("receivers")` gives their base
 * URLs. A path is `/<behaviour>/<argument>/<anything>`; end it with something of your own to find your requests again.
 */
export interface Receivers {
  /** Behaviours over http. */
  http: string;
  /** The same over https, with a certificate that nobody signed. */
  selfSigned: string;
  /** Accepts connections and never says a word: `http://` hangs in the answer, `https://` in the handshake. */
  silent: { http: string; https: string };
  /** Refuses connections: nothing listens there. */
  closed: string;
}

declare module "vitest" {
  interface ProvidedContext {
    receivers: Receivers;
  }
}

/** In a thread of their own: what else the runner does is no receiver's slowness. */
export default async function setup(project: TestProject): Promise<() => Promise<unknown>> {
  const thread = new Worker(`${import.meta.dirname}/receivers/serve.ts`);
  const [receivers] = await once(thread, "message");
  project.provide("receivers", receivers);
  return () => thread.terminate();
}
