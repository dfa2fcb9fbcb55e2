import type { Bench, Scenario } from "../bench.ts";
import { fire, type Shot } from "../load.ts";
import { atLeast, atMost, type Line, type Promised } from "../report.ts";
import { compete, type Standing } from "../rounds.ts";
import { bindings, seededTimeEntries, seededTimeEntry, workspace } from "../seed.ts";
import type { Server, Socket } from "../server.ts";

/** A kind of request, and the minimal Worker it is compared with. */
interface RequestScenario {
  name: string;
  path: string;
  shot: Omit<Shot, "url">;
  /** Null if the scenario has no baseline. */
  baseline: Socket | null;
  baselineTrips: string;
  /** The limits promised for a full run on an idle machine. Two identical Workers differ by up to 7 %. */
  promised?: { perSecondRatio: number; cpuRatio: number };
}

const who = { authorization: `Bearer ${workspace.token}`, apikey: bindings.gatewayPublicKey };
export const writing = { ...who, "content-type": "application/json" };
const entries = "/api-v1/time-entries";
const body = JSON.stringify({
  project_id: workspace.projectId,
  hours: 1.5,
  spent_date: "2026-01-31",
  description: "Wireframes of the landing page",
});

export type BenchRequest = Pick<RequestScenario, "path" | "shot">;

export const listRequest: BenchRequest = { path: `${entries}?limit=50`, shot: { headers: who } };
export const getRequest: BenchRequest = {
  path: `${entries}/${seededTimeEntry(seededTimeEntries / 2).id}`,
  shot: { headers: who },
};
export const createRequest: BenchRequest = {
  path: entries,
  shot: { method: "POST", headers: { ...writing, "idempotency-key": "[<id>]" }, body },
};

export const list = requestScenario({
  name: "list",
  ...listRequest,
  baseline: "baseline-read",
  baselineTrips: "1 D1, 1 coordinator",
  promised: { perSecondRatio: 0.63, cpuRatio: 1.65 },
});

export const get = requestScenario({
  name: "get",
  ...getRequest,
  baseline: "baseline-read",
  baselineTrips: "1 D1, 1 coordinator",
  promised: { perSecondRatio: 0.55, cpuRatio: 1.8 },
});

export const create = requestScenario({
  name: "create",
  ...createRequest,
  baseline: "baseline-write",
  baselineTrips: "2 D1, 1 coordinator",
  promised: { perSecondRatio: 0.55, cpuRatio: 1.75 },
});

export const replay = requestScenario({
  name: "replay",
  path: entries,
  shot: { method: "POST", headers: { ...writing, "idempotency-key": "the same every time" }, body },
  baseline: null,
  baselineTrips: "",
});

/** Measures the cost of one part of the Worker by comparing a list with and without it. */
const costOf =
  (name: string, socket: Socket): Scenario =>
  async (bench) => {
    const contenders = (["app", socket] as const).map((each) => ({
      name: each,
      measure: (seconds: number) => measure(bench, each, listRequest, 32, seconds),
    }));
    const standings = await compete(contenders, {
      rounds: costRounds,
      seconds: 2,
      progress: (text) => bench.progress(`${name}: ${text}`),
    });
    const [product] = standings;
    return {
      lines: standings.map((standing) => standingLine(`${name}, list, 32 connections`, standing, {}, true)),
      promises: product ? [atMost(`${name}: CPU of a list without it`, product.cpuRatio, 1.03)] : [],
    };
  };

export const logLineCost = costOf("log line", "silent");
export const requestLogCost = costOf("request log", "unlogged");

/** Small differences take more rounds to measure. */
const costRounds = 15;
const rounds = 7;
/** The promised ratios apply to 32 connections. A single connection shows the latency. */
const settings = [
  { connections: 32, seconds: 2 },
  { connections: 1, seconds: 1 },
] as const;

function requestScenario(scenario: RequestScenario): Scenario {
  return async (bench) => {
    const lines: Line[] = [];
    const promises: Promised[] = [];
    const used = await usedByOne(bench, scenario);
    for (const { connections, seconds } of settings) {
      const name = `${scenario.name}, ${connections} connection${connections > 1 ? "s" : ""}`;
      const contender = (socket: Socket) => ({
        name: socket,
        measure: (forSeconds: number) => measure(bench, socket, scenario, connections, forSeconds),
      });
      const standings = await compete(
        [contender("app"), ...(scenario.baseline ? [contender(scenario.baseline)] : [])],
        {
          rounds,
          seconds,
          progress: (text) => bench.progress(`${name}: ${text}`),
        },
      );
      lines.push(
        ...standings.map((standing) =>
          standingLine(name, standing, used[standing.name], scenario.baseline !== null),
        ),
      );
      const [product] = standings;
      if (scenario.promised && product && connections === 32)
        promises.push(
          atLeast(
            `${scenario.name}: requests/s of the baseline's`,
            product.ratio,
            scenario.promised.perSecondRatio,
          ),
          atMost(`${scenario.name}: CPU of the baseline's`, product.cpuRatio, scenario.promised.cpuRatio),
        );
    }
    return { lines, promises };
  };
}

export async function measure(
  { server }: Bench,
  socket: Socket,
  scenario: BenchRequest,
  connections: number,
  seconds: number,
) {
  const before = await server.cpuMs();
  const volley = await fire(
    { ...scenario.shot, url: server.addressOf(socket) + scenario.path },
    connections,
    seconds,
  );
  const cpuMs = (await server.cpuMs()) - before;
  const { requestsPerSecond: perSecond, requests, ...spread } = volley;
  return { ...spread, perSecond, cpuMsEach: cpuMs / requests };
}

export async function sendOne(
  server: Server,
  socket: Socket,
  { path, shot }: BenchRequest,
): Promise<Response> {
  const headers = Object.entries(shot.headers).map(([name, value]): [string, string] => [
    name,
    value.replace("[<id>]", crypto.randomUUID()),
  ]);
  const answer = await fetch(server.addressOf(socket) + path, { ...shot, headers });
  if (!answer.ok) throw new Error(`${socket} ${path}: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
  return answer;
}

type Used = Pick<Line, "trips" | "rowsRead" | "rowsWritten">;

/** The round trips and rows of one request, as counted by the database and the coordinator. */
async function usedByOne(
  { server, database }: Bench,
  scenario: RequestScenario,
): Promise<Record<string, Used>> {
  const send = (socket: Socket) => sendOne(server, socket, scenario);
  await send("counted"); // so that a replay finds its first response
  const used: Record<string, Used> = {};
  let coordinatorTrips = "0";
  const own = await database.used(async () => {
    coordinatorTrips = (await send("counted")).headers.get("x-coordinator-trips") ?? "?";
  });
  used.app = usedOf(own, `${own.trips} D1, ${coordinatorTrips} coordinator`);
  const { baseline } = scenario;
  if (baseline) used[baseline] = usedOf(await database.used(() => send(baseline)), scenario.baselineTrips);
  return used;
}

const usedOf = (used: { rows_read: number; rows_written: number }, trips: string): Used => ({
  trips,
  rowsRead: used.rows_read,
  rowsWritten: used.rows_written,
});

export const standingLine = (
  scenario: string,
  standing: Standing,
  used: Used = {},
  hasBaseline: boolean,
): Line => ({
  scenario,
  contender: standing.name,
  perSecond: standing.perSecond,
  p50Ms: standing.p50Ms,
  p99Ms: standing.p99Ms,
  longestMs: standing.longestMs,
  cpuMs: standing.cpuMsEach,
  ...(hasBaseline && { ratio: standing.ratio, cpuRatio: standing.cpuRatio }),
  ...used,
});
