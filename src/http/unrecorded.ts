import { report } from "../platform/report.ts";
import type { WriteContext, WriteRoute } from "./operation.ts";
import { wakeWebhooks } from "./wake-webhooks.ts";

/** After the answer, the database gets this long to come back before it is told on the answer's own account. */
const recoveryMs = 5000;

/** What a claim keeps of an answer; marked as long as the database does not know of it. */
export type KeptAnswer = Record<string, unknown> & { unrecorded?: true };

/** Keeps an answer that the database could not be told, before it leaves, and tries once more in the background. */
export async function keepUnrecorded(
  route: WriteRoute,
  context: WriteContext,
  answer: object,
  env: Env,
  execution: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  const kept: KeptAnswer = { ...answer, unrecorded: true };
  const later = scheduler.wait(recoveryMs).then(() => recordKept(route, context, kept, env));
  execution.waitUntil(later.catch(reportUnrecorded(context)));
  await keep(context, kept, env).catch(reportUnrecorded(context));
}

/** Writes the row behind a kept answer, if the database does not have it yet. */
export async function recordKept(
  route: WriteRoute,
  context: WriteContext,
  { unrecorded, ...answer }: KeptAnswer,
  env: Env,
): Promise<void> {
  if (!unrecorded) return;
  await route.record?.(context, answer);
  await keep(context, answer, env);
  await wakeWebhooks(route, context);
}

const keep = async ({ key, fingerprint, principal }: WriteContext, answer: KeptAnswer, env: Env) =>
  env.ORGANIZATION_COORDINATOR.getByName(principal.organizationId).complete([
    { key, fingerprint, answer: JSON.stringify(answer) },
  ]);

/** For the log: the answer stands, its row is still to be written. */
export const reportUnrecorded =
  ({ id }: WriteContext) =>
  (error: unknown): void =>
    report({ unrecorded: id }, error);
