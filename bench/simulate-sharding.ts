import { aligned } from "./report.ts";

/**
 * What one D1 database can carry and what several behind a directory can: requests arrive at random, every trip has a
 * latency, and each database does one query at a time. The same seed gives the same table every time.
 */

/** Assumptions; docs/design/performance.md says where each comes from. */
const model = {
  /** One way, Worker to database or coordinator, and as much of it again at random. */
  networkMs: 4,
  /** What a trip keeps the database busy: principal and page, principal and preconditions, a durable write. */
  readMs: 0.8,
  writeMs: 2.5,
  coordinatorMs: 0.5,
  writesShare: 0.25,
  organizations: 5_000,
  /** The weight of the k-th largest organization is 1 / (k + offset): the largest makes 0.9% of the requests. */
  zipfOffset: 20,
  /** Requests that meet an isolate that does not know yet where their organization lives: one more trip. */
  directoryMisses: 0.05,
  directoryMs: 0.3,
  /** Queries that may wait at one database before it answers "overloaded". */
  maxQueued: 200,
  seconds: 20,
  seed: 1,
};

const shardCounts = [1, 2, 4, 8, 16];
/** Offered requests, as a share of what the databases carry by calculation. */
const loads = [0.5, 0.75, 0.9, 1.2];

/** Uniform in [0, 1), the same sequence for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One query at a time, in the order of arrival; a full queue refuses. */
class Server {
  #freeAtMs = 0;
  busyMs = 0;

  /** When work that arrives now is done; null if it is refused. */
  serve(nowMs: number, workMs: number): number | null {
    const startMs = Math.max(nowMs, this.#freeAtMs);
    if (startMs - nowMs > model.maxQueued * workMs) return null;
    this.#freeAtMs = startMs + workMs;
    this.busyMs += workMs;
    return this.#freeAtMs;
  }
}

/** Steps in the order of their time: a binary heap. */
class Agenda {
  readonly #steps: { atMs: number; run(): void }[] = [];

  add(atMs: number, run: () => void): void {
    const steps = this.#steps;
    steps.push({ atMs, run });
    for (let child = steps.length - 1; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!this.#swapIfLater(parent, child)) break;
      child = parent;
    }
  }

  runAll(): void {
    const steps = this.#steps;
    for (let first = steps[0]; first; first = steps[0]) {
      const last = steps.pop();
      if (last && steps.length > 0) {
        steps[0] = last;
        for (let parent = 0; ; ) {
          const left = 2 * parent + 1;
          const right = left + 1;
          const child = (steps[right]?.atMs ?? Infinity) < (steps[left]?.atMs ?? Infinity) ? right : left;
          if (child >= steps.length || !this.#swapIfLater(parent, child)) break;
          parent = child;
        }
      }
      first.run();
    }
  }

  #swapIfLater(one: number, other: number): boolean {
    const [a, b] = [this.#steps[one], this.#steps[other]];
    if (!a || !b || a.atMs <= b.atMs) return false;
    this.#steps[one] = b;
    this.#steps[other] = a;
    return true;
  }
}

interface Outcome {
  answeredShare: number;
  p50Ms: number;
  p95Ms: number;
  busiestShare: number;
}

function simulate(shards: number, perSecond: number): Outcome {
  const random = seeded(model.seed);
  const agenda = new Agenda();
  const databases = Array.from({ length: shards }, () => new Server());
  const coordinators = new Map<number, Server>();
  const directory = new Server();
  const pickOrganization = zipf(random);
  const latenciesMs: number[] = [];
  let arrived = 0;

  const trip = (atMs: number, server: Server, workMs: number, then: (atMs: number) => void) => {
    const oneWayMs = () => model.networkMs * (1 + random());
    const arrivesMs = atMs + oneWayMs();
    agenda.add(arrivesMs, () => {
      const doneMs = server.serve(arrivesMs, workMs);
      if (doneMs !== null) agenda.add(doneMs, () => then(doneMs + oneWayMs()));
    });
  };
  const request = (atMs: number) => {
    const organization = pickOrganization();
    const database = databases[organization % shards] as Server;
    const coordinator = coordinators.get(organization) ?? new Server();
    coordinators.set(organization, coordinator);
    const isWrite = random() < model.writesShare;
    const answer = (doneMs: number) => latenciesMs.push(doneMs - atMs);
    const serve = (startMs: number) =>
      trip(startMs, database, model.readMs, (readMs) =>
        trip(readMs, coordinator, model.coordinatorMs, (countedMs) =>
          isWrite ? trip(countedMs, database, model.writeMs, answer) : answer(countedMs),
        ),
      );
    if (shards > 1 && random() < model.directoryMisses) trip(atMs, directory, model.directoryMs, serve);
    else serve(atMs);
  };

  const pauseMs = () => (-Math.log(1 - random()) * 1000) / perSecond;
  for (let atMs = 0; atMs < model.seconds * 1000; atMs += pauseMs()) {
    const arrivesMs = atMs;
    agenda.add(arrivesMs, () => request(arrivesMs));
    arrived += 1;
  }
  agenda.runAll();
  latenciesMs.sort((a, b) => a - b);
  const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? 0;
  return {
    answeredShare: latenciesMs.length / arrived,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    busiestShare: Math.max(...databases.map(({ busyMs }) => busyMs)) / (model.seconds * 1000),
  };
}

/** Draws organizations: few make most of the requests. */
function zipf(random: () => number): () => number {
  const upTo: number[] = [];
  let sum = 0;
  for (let rank = 0; rank < model.organizations; rank += 1) {
    sum += 1 / (rank + 1 + model.zipfOffset);
    upTo.push(sum);
  }
  return () => {
    const wanted = random() * sum;
    let [low, high] = [0, upTo.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((upTo[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

const busyMs = model.readMs + model.writesShare * model.writeMs;
const eachPerSecond = 1000 / busyMs;
console.log(
  `By calculation a request keeps its database busy for ${busyMs.toFixed(2)} ms, ` +
    `so one carries ${eachPerSecond.toFixed(0)} a second.\n`,
);
const rows = [["databases", "requests/s", "load", "answered", "p50 ms", "p95 ms", "busiest database"]];
for (const shards of shardCounts) {
  for (const load of loads) {
    const perSecond = Math.round(load * shards * eachPerSecond);
    const { answeredShare, p50Ms, p95Ms, busiestShare } = simulate(shards, perSecond);
    const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
    rows.push([
      String(shards),
      String(perSecond),
      percent(load),
      percent(answeredShare),
      p50Ms.toFixed(0),
      p95Ms.toFixed(0),
      percent(Math.min(1, busiestShare)),
    ]);
  }
}
console.log(aligned(rows, 0));
