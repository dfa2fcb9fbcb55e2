import type { Services } from "../../core/services.ts";
import type { LeasedDelivery } from "./load-leased.ts";
import { hostOf } from "./public-address.ts";
import { isLoopbackAddress } from "./special-ranges.ts";

interface Placed {
  /** What may be sent now. */
  starting: LeasedDelivery[];
  /** What waits for its host's turn, and for how many seconds. */
  waiting: { delivery: LeasedDelivery; waitSeconds: number }[];
}

/** Reserves POSTs with each host's pace, once for all deliveries of a batch to it. */
export async function reservePosts(
  { receiverPlaces }: Pick<Services, "receiverPlaces">,
  deliveries: readonly LeasedDelivery[],
): Promise<Placed> {
  const ofHosts = [...Map.groupBy(deliveries, receiverOf)];
  const placed = await Promise.all(
    ofHosts.map(async ([host, ofHost]): Promise<Placed> => {
      const ofOrganizations = Map.groupBy(ofHost, ({ organization_id }) => organization_id);
      const wanted = [...ofOrganizations].map(([id, { length }]) => [id, length]);
      const { granted, waitSeconds } = await receiverPlaces(host, Object.fromEntries(wanted));
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
    starting: placed.flatMap(({ starting }) => starting),
    waiting: placed.flatMap(({ waiting }) => waiting),
  };
}

/** On the local machine, which only local development calls, each port stands for a host. */
function receiverOf({ url }: LeasedDelivery): string {
  const target = new URL(url);
  const host = hostOf(target);
  return host === "localhost" || isLoopbackAddress(host) ? `${host}:${target.port}` : host;
}
