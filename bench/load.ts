import autocannon from "autocannon";

/** A request to send repeatedly. `[<id>]` is replaced by a new id each time. */
export interface Shot {
  url: string;
  method?: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
  /** A status other than a success that is accepted. */
  status?: number;
}

interface Volley extends Spread {
  requestsPerSecond: number;
  requests: number;
}

export interface Spread {
  p50Ms: number;
  p99Ms: number;
  longestMs: number;
}

/** Sends requests for `seconds` over `connections`, and throws on any unexpected response. */
export async function fire(
  { status: expected, ...shot }: Shot,
  connections: number,
  seconds: number,
): Promise<Volley> {
  const latenciesMs: number[] = [];
  const refused: number[] = [];
  const startedMs = performance.now();
  const running = autocannon({
    ...shot,
    connections,
    duration: seconds,
    sampleInt: 100,
    idReplacement: true,
  });
  let endedMs = startedMs;
  running.on("response", (_client, status, _bytes, latencyMs) => {
    endedMs = performance.now();
    if (status >= 300 && status !== expected) refused.push(status);
    latenciesMs.push(latencyMs);
  });
  const { errors, timeouts } = await running;
  if (refused.length + errors + timeouts > 0 || latenciesMs.length === 0) {
    throw new Error(
      `${shot.url}: ${refused.length} refused (${refused[0]}), ${errors} errors, ${timeouts} timeouts`,
    );
  }
  return {
    requests: latenciesMs.length,
    requestsPerSecond: (latenciesMs.length * 1000) / (endedMs - startedMs),
    ...spread(latenciesMs),
  };
}

export const spread = (latenciesMs: readonly number[]): Spread => ({
  p50Ms: median(latenciesMs),
  p99Ms: quantile(latenciesMs, 0.99),
  longestMs: quantile(latenciesMs, 1),
});

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
