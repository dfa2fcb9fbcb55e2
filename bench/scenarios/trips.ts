import type { Scenario } from "../bench.ts";
import { fire } from "../load.ts";
import { compete } from "../rounds.ts";

/** What each trip costs, against a request that makes none; one connection, so that p50 is one request's latency. */

const names = [
  "coordinator, a count",
  "coordinator, a write",
  "D1, a read",
  "D1, two reads in a batch",
  "D1, two reads in turn",
  "D1, a write",
  "none",
] as const;

export const trips: Scenario = async ({ server, progress }) => {
  const contenders = names.map((name) => ({
    name,
    async measure(seconds: number) {
      const before = await server.cpuMs();
      const url = `${server.addressOf("trips")}/${encodeURIComponent(name)}`;
      const volley = await fire({ url, headers: {} }, 1, seconds);
      const cpuMs = (await server.cpuMs()) - before;
      return {
        perSecond: volley.requestsPerSecond,
        p50Ms: volley.p50Ms,
        cpuMsEach: cpuMs / volley.requests,
      };
    },
  }));
  const standings = await compete(contenders, {
    rounds: 5,
    seconds: 1,
    progress: (text) => progress(`trips: ${text}`),
  });
  return {
    lines: standings.map(({ name, perSecond, p50Ms, cpuMsEach }) => ({
      scenario: "one trip, 1 connection",
      contender: name,
      perSecond,
      p50Ms,
      cpuMs: cpuMsEach,
    })),
    promises: [],
  };
};
