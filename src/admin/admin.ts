import { WorkerEntrypoint } from "cloudflare:workers";
import { AdminRefusal } from "../contract/admin-refusals.ts";
import type { Fields } from "./from-text.ts";
import type { AdminServices } from "./operation.ts";
import { runOperation } from "./run-operation.ts";

export type AdminOutcome = { ok: true; result: object } | { ok: false; message: string; hint: string | null };

/** The operations for whoever holds the platform's keys: a service binding alone reaches it. */
export function adminEntrypoint(servicesOf: (env: Env) => AdminServices) {
  return class extends WorkerEntrypoint<Env> {
    /** Runs one operation. Of `fields`, `organization` and `actor` say where and as whom, `operator` who calls. */
    async run(name: string, { organization, actor, operator, ...fields }: Fields): Promise<AdminOutcome> {
      const call = { name, fields, organization, actor, isOperator: true, operator };
      const result = await runOperation(call, servicesOf(this.env), (work) => this.ctx.waitUntil(work));
      if (!(result instanceof AdminRefusal)) return { ok: true, result };
      return { ok: false, message: result.message, hint: result.hint };
    }
  };
}
