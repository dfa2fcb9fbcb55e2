/**
 * Cloudflare's list prices beyond what the paid plan includes, read on 2026-11-27 at
 * https://developers.cloudflare.com/workers/platform/pricing/,
 * https://developers.cloudflare.com/d1/platform/pricing/,
 * https://developers.cloudflare.com/durable-objects/platform/pricing/,
 * https://developers.cloudflare.com/queues/platform/pricing/ and
 * https://developers.cloudflare.com/workers/observability/logs/workers-logs/#pricing.
 * Storage, and the traces of one request in twenty, are left out.
 */
const dollarsPerMillion = {
  requests: 0.3,
  cpuMs: 0.02,
  databaseRowsRead: 0.001,
  databaseRowsWritten: 1,
  coordinatorRequests: 0.15,
  coordinatorRowsRead: 0.001,
  coordinatorRowsWritten: 1,
  /** In gigabyte-seconds: an object is billed for 128 MB while it is working or has a timer. */
  coordinatorGigabyteSeconds: 12.5,
  /** Each message costs three: a write, a read and a delete. */
  queueOperations: 0.4,
  logLines: 0.6,
} as const;

type Unit = keyof typeof dollarsPerMillion;

/** The units that one request, delivery or record uses. */
export type Used = Record<Unit, number>;

export const units = Object.keys(dollarsPerMillion) as Unit[];

export const nothingUsed = (): Used => Object.fromEntries(units.map((unit) => [unit, 0])) as Used;

export const addUsed = (a: Used, b: Partial<Used>): Used => mapUnits((unit) => a[unit] + (b[unit] ?? 0));

export const divideUsed = (used: Used, by: number): Used => mapUnits((unit) => used[unit] / by);

/** The price of a million. */
export const priceOfMillion = (used: Used): number =>
  units.reduce((sum, unit) => sum + used[unit] * dollarsPerMillion[unit], 0);

const mapUnits = (count: (unit: Unit) => number): Used =>
  Object.fromEntries(units.map((unit) => [unit, count(unit)])) as Used;
