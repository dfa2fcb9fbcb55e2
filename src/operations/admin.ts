import { WorkerEntrypoint } from "cloudflare:workers";
import { Refusal } from "../contract/refusal.ts";
import type { Services } from "../core/services.ts";
import type { Fields } from "./from-text.ts";
import { runOperation } from "./run-operation.ts";

export type AdminOutcome = { ok: true; result: object } | { ok: false; message: string; hint: string | null };

/** Runs operations for callers who hold the platform's keys. Only a service binding reaches it. */
export function adminEntrypoint(servicesOf: (env: Env) => Services) {
  return class extends WorkerEntrypoint<Env> {
    /**
     * Runs one operation. `organization` and `actor` name the workspace and the admin who acts, `operator` the caller;
     * with the same `key` and fields, the work is done once.
     */
    async run(
      name: string,
      { organization, actor, operator, key, ...fields }: Fields,
    ): Promise<AdminOutcome> {
      const requestId = crypto.randomUUID();
      const call = { name, fields, organization, actor, isOperator: true, operator, key, requestId };
      const result = await runOperation(call, servicesOf(this.env), (work) => this.ctx.waitUntil(work));
      if (!(result instanceof Refusal)) return { ok: true, result };
      return { ok: false, message: result.text, hint: result.hint };
    }
  };
}
