import { AsyncLocalStorage } from "node:async_hooks";

/** The ids of the request, delivery or cron run that is under way: every line of the log that it causes carries them. */
const identity = new AsyncLocalStorage<Record<string, unknown>>();

/** Does work whose log lines carry `ids`, beside those that are carried already. */
export const withLogIds = <T>(ids: Record<string, unknown>, work: () => T): T =>
  identity.run({ ...identity.getStore(), ...ids }, work);

/** Writes one line of JSON into the log: what was being done, and why it failed. */
export const report = (doing: Record<string, unknown>, error: unknown): void =>
  console.error(JSON.stringify({ ...identity.getStore(), ...doing, error: describe(error) }));

/** Of an error with a cause, the cause alone: drizzle's and D1's own messages may hold what was bound. */
function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join("; ");
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : (error.stack ?? error.message);
}
