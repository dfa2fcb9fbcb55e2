import { dayMs } from "../../contract/durations.ts";
import { limits } from "../../contract/limits.ts";
import type { TokenUsage } from "../../contract/request-log.ts";
import type { Services } from "../../core/services.ts";
import { batch, required } from "../../db/query.ts";
import { mailsSince, planOf } from "../organizations/plan-of.ts";
import { tokensById } from "./read-log.ts";
import type { Usage } from "./usage.ts";

/** Reads an organization's usage on each of the last days, including today, and what its plan has left. */
export async function readUsage(
  services: Pick<Services, "db" | "coordinators">,
  organizationId: string,
  days: number,
): Promise<Usage> {
  const requestedDays = lastDays(days);
  const since = requestedDays.at(-1) ?? "";
  const [used, [plan, mails]] = await Promise.all([
    services.coordinators.getByName(organizationId).usageSince(since),
    batch(services.db, [required(planOf(organizationId)), mailsSince(organizationId, since)]),
  ]);
  const byToken = Map.groupBy(
    used.flatMap(({ requests }) => Object.entries(requests)),
    ([tokenId]) => tokenId,
  );
  const names = await tokensById(services, organizationId, new Set(byToken.keys()));
  const tokens = [...byToken].map(([id, ofDays]) => ({
    id,
    name: names.get(id)?.name ?? "",
    ...sumOf(ofDays.map(([, usage]) => usage)),
  }));
  return {
    days: requestedDays.map((day) => {
      const ofDay = used.find((one) => one.day === day);
      return {
        day,
        ...sumOf(Object.values(ofDay?.requests ?? {})),
        deliveries: ofDay?.deliveries ?? 0,
        mails: mails.find((one) => one.day === day)?.mails ?? 0,
      };
    }),
    tokens: tokens.sort((a, b) => b.requests - a.requests),
    room: {
      plan: plan.plan,
      requests_per_minute: plan.requests_per_minute,
      deliverables: { used: plan.deliverable_count, limit: plan.deliverable_cap },
      records: { used: plan.record_count, limit: plan.records_cap },
      image_megabytes: { used: plan.storage_bytes / limits.bytesPerMegabyte, limit: plan.storage_mb },
      mails_today: { used: plan.mails_today, limit: plan.mails_per_day },
    },
  };
}

/** Returns the last days (UTC), today first. */
function lastDays(count: number): string[] {
  const nowMs = Date.now();
  return Array.from({ length: count }, (_, ago) =>
    new Date(nowMs - ago * dayMs).toISOString().slice(0, "2026-01-31".length),
  );
}

/** Counts each token's requests on each of the last days, oldest first. Tokens without requests are left out. */
export async function requestsByDay(
  { coordinators }: Pick<Services, "coordinators">,
  organizationId: string,
  days: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const oldestFirst = lastDays(days).toReversed();
  const used = await coordinators.getByName(organizationId).usageSince(oldestFirst[0] ?? "");
  const tokens = new Set(used.flatMap(({ requests }) => Object.keys(requests)));
  const on = (day: string, id: string) => used.find((one) => one.day === day)?.requests[id]?.requests ?? 0;
  return new Map([...tokens].map((id) => [id, oldestFirst.map((day) => on(day, id))]));
}

const sumOf = (usages: readonly TokenUsage[]): TokenUsage => ({
  requests: usages.reduce((sum, { requests }) => sum + requests, 0),
  refusals: usages.reduce((sum, { refusals }) => sum + refusals, 0),
});
