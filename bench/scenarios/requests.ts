import type { Bench, Scenario } from "../bench.ts";
import { fire, type Shot } from "../load.ts";
import { atLeast, atMost, type Line, type Promised } from "../report.ts";
import { compete, type Standing } from "../rounds.ts";
import { bindings, seededTimeEntries, seededTimeEntry, workspace } from "../seed.ts";
import type { Socket } from "../server.ts";

/** A kind of request, and the raw Worker it is held against. */
interface RequestScenario {
  name: string;
  path: string;
  shot: Omit<Shot, "url">;
  /** Null: the work has no floor of its own. */
  floor: Socket | null;
  floorTrips: string;
}

const who = { authorization: `Bearer ${workspace.token}`, apikey: bindings.gatewayPublicKey };
const writing = { ...who, "content-type": "application/json" };
const entries = "/api-v1/time-entries";
const body = JSON.stringify({
  project_id: workspace.projectId,
  hours: 1.5,
  spent_date: "2026-01-31",
  description: "Wireframes of the landing page",
});

export const list = requestScenario({
  name: "list",
  path: `${entries}?limit=50`,
  shot: { headers: who },
  floor: "baseline-read",
  floorTrips: "1 D1, 1 gate",
});

export const get = requestScenario({
  name: "get",
  path: `${entries}/${seededTimeEntry(seededTimeEntries / 2).id}`,
  shot: { headers: who },
  floor: "baseline-read",
  floorTrips: "1 D1, 1 gate",
});

export const create = requestScenario({
  name: "create",
  path: entries,
  shot: { method: "POST", headers: { ...writing, "idempotency-key": "[<id>]" }, body },
  floor: "baseline-write",
  floorTrips: "2 D1, 1 gate",
});

export const replay = requestScenario({
  name: "replay",
  path: entries,
  shot: { method: "POST", headers: { ...writing, "idempotency-key": "the same every time" }, body },
  floor: null,
  floorTrips: "",
});

const rounds = 7;
/** The ratios that are promised hold at 32 connections; one connection shows the latency of one request. */
const settings = [
  { connections: 32, seconds: 2 },
  { connections: 1, seconds: 1 },
] as const;

function requestScenario(work: RequestScenario): Scenario {
  return async (bench) => {
    const lines: Line[] = [];
    const promises: Promised[] = [];
    const used = await usedByOne(bench, work);
    for (const { connections, seconds } of settings) {
      const name = `${work.name}, ${connections} connection${connections > 1 ? "s" : ""}`;
      const contender = (socket: Socket) => ({
        name: socket,
        measure: (forSeconds: number) => measure(bench, socket, work, connections, forSeconds),
      });
      const standings = await compete([contender("app"), ...(work.floor ? [contender(work.floor)] : [])], {
        rounds,
        seconds,
        progress: (text) => bench.progress(`${name}: ${text}`),
      });
      lines.push(
        ...standings.map((standing) => lineOf(name, standing, used[standing.name], work.floor !== null)),
      );
      const [product] = standings;
      if (work.floor && product && connections === 32) promises.push(...promised(work.name, product));
    }
    return { lines, promises };
  };
}

async function measure(
  { server }: Bench,
  socket: Socket,
  work: RequestScenario,
  connections: number,
  seconds: number,
) {
  const before = await server.cpuMs();
  const volley = await fire(
    { ...work.shot, url: server.addressOf(socket) + work.path },
    connections,
    seconds,
  );
  const cpuMs = (await server.cpuMs()) - before;
  return {
    perSecond: volley.requestsPerSecond,
    p50Ms: volley.p50Ms,
    cpuMsEach: cpuMs / volley.requests,
  };
}

type Used = Pick<Line, "trips" | "rowsRead" | "rowsWritten">;

/** Trips and rows of one request, by the database's and the gate's own count. */
async function usedByOne({ server, database }: Bench, work: RequestScenario): Promise<Record<string, Used>> {
  const send = async (socket: Socket) => {
    const headers = Object.fromEntries(
      Object.entries(work.shot.headers).map(([name, value]) => [
        name,
        value.replace("[<id>]", crypto.randomUUID()),
      ]),
    );
    const answer = await fetch(server.addressOf(socket) + work.path, { ...work.shot, headers });
    if (!answer.ok) throw new Error(`${socket} ${work.name}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
    return answer;
  };
  await send("counted"); // so that a replay finds its first answer
  const used: Record<string, Used> = {};
  let gateTrips = "0";
  const own = await database.used(async () => {
    gateTrips = (await send("counted")).headers.get("x-gate-trips") ?? "?";
  });
  used.app = usedOf(own, `${own.trips} D1, ${gateTrips} gate`);
  const { floor } = work;
  if (floor) used[floor] = usedOf(await database.used(() => send(floor)), work.floorTrips);
  return used;
}

const usedOf = (used: { rows_read: number; rows_written: number }, trips: string): Used => ({
  trips,
  rowsRead: used.rows_read,
  rowsWritten: used.rows_written,
});

const lineOf = (work: string, standing: Standing, used: Used = {}, hasFloor: boolean): Line => ({
  work,
  contender: standing.name,
  perSecond: standing.perSecond,
  p50Ms: standing.p50Ms,
  cpuMs: standing.cpuMsEach,
  ...(hasFloor && { ratio: standing.ratio, cpuRatio: standing.cpuRatio }),
  ...used,
});

const promised = (name: string, { ratio, cpuRatio }: Standing): Promised[] => [
  atLeast(`${name}: requests/s of the floor's`, ratio, 0.85),
  atMost(`${name}: CPU of the floor's`, cpuRatio, 1.2),
];
