import { WorkerEntrypoint } from "cloudflare:workers";
import type { MoveSteps } from "../contract/move.ts";
import { Refusal, refuse } from "../contract/refusal.ts";
import type { Moving, Services } from "../core/services.ts";
import { moveSteps } from "../lifecycle/move/steps.ts";
import { soleCell } from "../workspace/directory/read-cell.ts";
import type { Fields } from "./from-text.ts";
import { runOperation } from "./run-operation.ts";

export type AdminOutcome = { ok: true; result: object } | { ok: false; message: string; hint: string | null };

/** Creates the `Admin` entrypoint, which runs operations for operators. Only a service binding can reach it. */
export function adminEntrypoint(servicesOf: (env: Env) => Services) {
  return class extends WorkerEntrypoint<Env> {
    /**
     * Runs one operation in the workspace `organization` as the admin `actor`. `operator` is the caller's user name.
     * Calls with the same `key` and fields do the work once. `cell` is the cell to run the operation in. Only the front
     * sends `moving`.
     */
    async run(
      name: string,
      { organization, actor, operator, key, cell, ...fields }: Fields,
      moving: Moving | null = null,
    ): Promise<AdminOutcome> {
      const services = { ...servicesOf(this.env), moving };
      const cells = services.cell?.names ?? [soleCell];
      const isHere = cell === undefined || cell === (services.cell?.name ?? soleCell);
      const requestId = crypto.randomUUID();
      const call = { name, fields, organization, actor, isOperator: true, operator, key, requestId };
      const result = isHere
        ? await runOperation(call, services, (work) => this.ctx.waitUntil(work))
        : refuse("cell_unknown", { cells });
      return outcomeOf(result);
    }

    /** Runs a step in a move for the front (docs/design/cells.md). */
    async move<N extends keyof MoveSteps>(step: N, input: MoveSteps[N][0]): Promise<AdminOutcome> {
      return outcomeOf(await moveSteps[step](servicesOf(this.env), input));
    }
  };
}

const outcomeOf = (result: object): AdminOutcome =>
  result instanceof Refusal ? { ok: false, message: result.text, hint: result.hint } : { ok: true, result };
