import type { DeliveryMessage, PaceGrant } from "../../contract/messages.ts";
import type { Services } from "../../core/services.ts";
import type { LeasedDelivery } from "./load-leased.ts";
import { hostOf } from "./public-address.ts";
import { isLoopbackAddress } from "./special-ranges.ts";

interface PostPlan {
  /** Deliveries that may be sent now. */
  starting: LeasedDelivery[];
  /** Deliveries that must wait for their host, and for how long. */
  waiting: { delivery: LeasedDelivery; waitSeconds: number }[];
}

type Pace = Pick<Services, "grantPosts">;
type Reservations = ReadonlyMap<string, PaceGrant>;

/** Reserves POSTs while the deliveries are being loaded. An unneeded reservation is lost. */
export async function reserveAhead(
  { grantPosts }: Pace,
  messages: readonly DeliveryMessage[],
): Promise<Reservations> {
  const ofHosts = Map.groupBy(messages, ({ host = "" }) => host);
  ofHosts.delete("");
  const asking = [...ofHosts].map(
    async ([host, ofHost]) => [host, await grantPosts(host, wantedBy(ofHost))] as const,
  );
  return new Map(await Promise.all(asking));
}

function wantedBy(deliveries: readonly Pick<DeliveryMessage, "organization_id">[]): Record<string, number> {
  const ofOrganizations = Map.groupBy(deliveries, ({ organization_id = "" }) => organization_id);
  return Object.fromEntries([...ofOrganizations].map(([id, { length }]) => [id, length]));
}

/** Reserves POSTs to each host, once for all of the batch's deliveries to it, unless they were reserved ahead. */
export async function reservePosts(
  { grantPosts }: Pace,
  deliveries: readonly LeasedDelivery[],
  reserved: Reservations,
): Promise<PostPlan> {
  const ofHosts = [...Map.groupBy(deliveries, ({ url }) => receiverOf(url))];
  const plans = await Promise.all(
    ofHosts.map(async ([host, ofHost]): Promise<PostPlan> => {
      const ofOrganizations = Map.groupBy(ofHost, ({ organization_id }) => organization_id);
      const { granted, waitSeconds } = reserved.get(host) ?? (await grantPosts(host, wantedBy(ofHost)));
      const starting = [...ofOrganizations].flatMap(([id, own]) => own.slice(0, granted[id] ?? 0));
      const started = new Set(starting);
      const waiting = ofHost.filter((delivery) => !started.has(delivery));
      const secondsOf = ({ organization_id }: LeasedDelivery) => waitSeconds[organization_id] ?? 1;
      return {
        starting,
        waiting: waiting.map((delivery) => ({ delivery, waitSeconds: secondsOf(delivery) })),
      };
    }),
  );
  return {
    starting: plans.flatMap(({ starting }) => starting),
    waiting: plans.flatMap(({ waiting }) => waiting),
  };
}

/** Returns the host that a URL's POSTs count against. In local development, each port counts as a separate host. */
export function receiverOf(url: string): string {
  const target = new URL(url);
  const host = hostOf(target);
  return host === "localhost" || isLoopbackAddress(host) ? `${host}:${target.port}` : host;
}
