/**
 * Part of `npm run test:faults`: a workspace moves repeatedly between two cells, with writers, receivers and a feed
 * reader. Moves to `b` are killed with SIGKILL at each binding call in turn, and continued with the same command. The
 * suite ends when a move makes no new call. A call is new if no move has been killed at its number within the step, at
 * its method, or at one of its statements. MOVE_KILLS limits the number of kills. Exits with 0 only if nothing was lost
 * and nothing was done twice.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { on } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { unstable_splitSqlQuery } from "wrangler";
import { localGatewayKey } from "../../scripts/local/gateway-key.ts";
import { presentMigrations } from "../operations/release.ts";
import { FeedReader } from "./feed-reader.ts";
import { findingsOf, type Kill } from "./findings.ts";
import { directoryMigrations } from "./migrate.ts";
import { type FaultReceiver, startReceiver } from "./receiver.ts";
import { bundleInto, serviceAt } from "./service.ts";
import { registerReceiver } from "./workspace.ts";

type Cell = "a" | "b";

interface Outcome {
  ok: boolean;
  message?: string;
  result?: { next: string | null };
}

const wantedKills = Number(process.env.MOVE_KILLS ?? Infinity);
const writers = 2;
/** There are few, because the suite tests changes during a move rather than the volume of the copy. */
const draftInvoices = 150;
const settleWithinMs = 150_000;
const moveWithinMs = 180_000;
const slug = "moving";
const directory = mkdtempSync(join(tmpdir(), "partner-api-move-"));
const receivers = [await startReceiver(() => 200), await startReceiver((visit) => (visit === 1 ? 503 : 200))];
const cells = await bundleInto(directory);
const front = await bundleInto(directory, undefined, [], "front/worker.ts");

let service = await start();
let isUp = true;
const kills: Kill[] = [];
/** The names of the calls at which a move has been killed: their numbers, methods and statements in each step. */
const killedAt = new Set<string>();
let killedByCall = 0;
const written: { key: string; ids: Set<string>; interrupted: number }[] = [];
const issued = new Set<string>();
const drafts: string[] = [];

try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  service.end();
  for (const receiver of receivers) receiver.close();
  rmSync(directory, { recursive: true, force: true });
}

interface Addresses {
  baseUrl: string;
  toolsUrl: string;
  cellUrls: string[];
}

async function start() {
  const script = join(import.meta.dirname, "cells-process.ts");
  const child = spawn(process.execPath, ["--no-warnings", script, directory, cells, front], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    detached: true,
  });
  child.on("message", (said) => {
    if (!Reflect.has(Object(said), "killedAt")) return;
    killedByCall += 1;
    for (const name of Reflect.get(Object(said), "killedAt")) killedAt.add(name);
  });
  return serviceOf(child, await nextAddressesOf(child));
}

async function nextAddressesOf(child: ChildProcess): Promise<Addresses> {
  for await (const [said] of on(child, "message", { close: ["exit"] }))
    if (Reflect.has(Object(said), "baseUrl")) return said;
  throw new Error("the service ended while it started");
}

function serviceOf(child: ChildProcess, addresses: Addresses) {
  const next = nextAddressesOf(child);
  next.catch(() => {});
  const here = serviceAt(addresses, localGatewayKey());
  const ask = async <T>(cell: "A" | "B" | "DIRECTORY", sql: string, ...params: unknown[]): Promise<T[]> => {
    const body = JSON.stringify({ cell, sql, params });
    const response = await fetch(addresses.toolsUrl, { method: "POST", body });
    if (!response.ok) throw new Error(`${sql.slice(0, 80)}: ${await response.text()}`);
    return response.json() as Promise<T[]>;
  };
  return {
    ...here,
    sqlIn: (cell: Cell, sql: string, ...params: unknown[]) =>
      ask<Record<string, unknown>>(cell === "a" ? "A" : "B", sql, ...params),
    async all(cell: "A" | "B" | "DIRECTORY", statements: string[]) {
      const response = await fetch(addresses.toolsUrl, {
        method: "POST",
        body: JSON.stringify({ cell, statements }),
      });
      if (!response.ok) throw new Error(await response.text());
    },
    inDirectory: (sql: string, ...params: unknown[]) =>
      ask<Record<string, unknown>>("DIRECTORY", sql, ...params),
    outcome: async (operation: string, fields: object) => {
      const response = await fetch(addresses.toolsUrl, {
        method: "POST",
        body: JSON.stringify({ operation, fields }),
      });
      if (!response.ok) throw new Error(await response.text());
      return response.json() as Promise<Outcome>;
    },
    async minutes() {
      for (const url of [...addresses.cellUrls, addresses.baseUrl])
        await fetch(new URL("/minute-of-the-suite", url));
    },
    /** Sets whether the next call that has not been killed before kills the service. */
    arm: (isArmed: boolean) =>
      new Promise<void>((resolve) => {
        child.once("message", () => resolve());
        child.send({ arm: isArmed ? [...killedAt] : null });
      }),
    /** Resolves with the service once it has started again after a kill. */
    restarted: async () => serviceOf(child, await next),
    end: () => process.kill(-(child.pid as number), "SIGKILL"),
  };
}

async function migrate(): Promise<void> {
  const ofCells = [
    "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE)",
    ...[...presentMigrations].flatMap(([name, sql]) => [
      ...unstable_splitSqlQuery(sql),
      `INSERT INTO d1_migrations (name) VALUES ('${name}')`,
    ]),
    "INSERT INTO plans (name, api_access, requests_per_minute) VALUES ('unlimited', 1, 1000000)",
  ];
  await Promise.all([
    service.all("A", ofCells),
    service.all("B", ofCells),
    service.all("DIRECTORY", directoryMigrations().flatMap(unstable_splitSqlQuery)),
  ]);
}

async function prepare() {
  const { id: organization } = await service.admin<{ id: string }>("create-organization", {
    name: "Moving",
    slug,
    plan: "unlimited",
    owner_email: "owner@example.com",
    cell: "a",
  });
  const { token } = await service.admin<{ token: string }>("create-api-token", {
    organization,
    name: "faults",
    scopes:
      "client:write,project:write,time:write,invoice:write,invoice:read,client:read,project:read,deliverable:write",
  });
  const made = async (path: string, body: object) => {
    const response = await service.call(path, { token, body, key: crypto.randomUUID() });
    if (response.status !== 201) throw new Error(`${path}: ${await response.text()}`);
    return ((await response.json()) as { id: string }).id;
  };
  const client_id = await made("/api-v1/clients", { client_name: "Ada" });
  const project_id = await made("/api-v1/projects", { client_id, name: "Relaunch" });
  const lines = [{ description: "Design", quantity: 1, unit_price: 95 }];
  const smallestGif = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
  await made("/api-v1/deliverables", { client_id, title: "Poster", image_base64: smallestGif });
  for (let left = draftInvoices; left > 0; left -= 1)
    drafts.push(await made("/api-v1/invoices", { client_id, line_items: lines }));
  const registered = new Map<string, FaultReceiver>();
  for (const receiver of receivers) {
    registered.set(await registerReceiver(service, organization, receiver), receiver);
  }
  return { organization, token, project_id, registered };
}

async function placeOf(): Promise<Cell> {
  const [entry] = await service.inDirectory("SELECT cell FROM organizations WHERE slug = ?", slug);
  return entry?.cell as Cell;
}

/** Writes with one key after another, and retries each until it succeeds. */
async function writeUntil(signal: AbortSignal, token: string, project_id: string): Promise<void> {
  while (!signal.aborted) {
    const one = { key: crypto.randomUUID(), ids: new Set<string>(), interrupted: 0 };
    written.push(one);
    while (one.ids.size === 0) {
      await writeOnce(one, token, project_id).catch(() => {
        one.interrupted += 1;
      });
      await pause(200);
    }
  }
}

async function writeOnce(one: (typeof written)[number], token: string, project_id: string): Promise<void> {
  while (!isUp) await pause(20);
  const body = { project_id, hours: 1, spent_date: "2026-01-31" };
  const response = await service.call("/api-v1/time-entries", { token, body, key: one.key });
  const answer = (await response.json()) as { id: string; code?: string };
  if (response.status < 300) one.ids.add(answer.id);
  else if (response.status >= 500 || response.status === 409) one.interrupted += 1;
  else throw new Error(`${response.status} ${JSON.stringify(answer)}`);
}

/** Issues drafts with plain SQL in the current cell. A repeated statement matches no row. */
async function issueUntil(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const id = drafts[0];
    if (id === undefined) return;
    try {
      const update = "UPDATE invoices SET status = 'open' WHERE id = ? AND status = 'draft' RETURNING id";
      const changed = await service.sqlIn(await placeOf(), update, id);
      const [row] = await service.sqlIn(await placeOf(), "SELECT status FROM invoices WHERE id = ?", id);
      if (changed.length > 0 || row?.status === "open") {
        issued.add(id);
        drafts.shift();
      }
    } catch {
      // The service was killed or the workspace was closed, so the next iteration tries again.
    }
    await pause(1_500);
  }
}

/** Runs the command to completion. Returns false if the service was killed. */
async function moveTo(to: Cell): Promise<boolean> {
  const untilMs = Date.now() + moveWithinMs;
  for (let position: string | null = ""; position !== null; ) {
    if (Date.now() > untilMs) throw new Error("the move does not end");
    const asked: object = { organization: slug, to, ...(position !== "" && { position }) };
    const outcome: Outcome | null = await service.outcome("move-organization", asked).catch(() => null);
    if (outcome === null) return false;
    if (!outcome.ok) {
      if (/already in cell/.test(outcome.message ?? "")) return true;
      // The cron continues the move.
      if (/Another command is moving/.test(outcome.message ?? "")) {
        position = "";
        await pause(1_000);
        continue;
      }
      throw new Error(outcome.message);
    }
    position = outcome.result?.next ?? null;
  }
  return true;
}

/** Moves the workspace, continuing with the same command after each kill. Only moves to `b` are killed. */
async function moveUnderKills(to: Cell): Promise<void> {
  for (;;) {
    await service.arm(to === "b" && kills.length < wantedKills);
    const fromMs = Date.now();
    if (await moveTo(to)) {
      await service.arm(false);
      // The cron may have reached the call after the command ended.
      if (killedByCall === kills.length) return;
    }
    isUp = false;
    kills.push({ fromMs, untilMs: Date.now() });
    service = await service.restarted();
    isUp = true;
    // Backdates the killed mover's last sign of life, so that the next command can take over at once.
    for (const cell of ["a", "b"] as const)
      await service.sqlIn(
        cell,
        "UPDATE moves SET seen_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-20 seconds')",
      );
    if (kills.length % 10 === 0) console.log(`${kills.length} kills, ${written.length} keys`);
  }
}

async function run(): Promise<boolean> {
  const startedMs = Date.now();
  await migrate();
  const { organization, token, project_id, registered } = await prepare();
  const stop = new AbortController();
  const reader = new FeedReader(token, () => service.baseUrl);
  const load = [
    ...Array.from({ length: writers }, () => writeUntil(stop.signal, token, project_id)),
    issueUntil(stop.signal),
    reader.readUntil(stop.signal),
  ];
  const minutes = setInterval(() => void service.minutes().catch(() => {}), 5_000);
  const broken: string[] = [];
  for (let before = -1; before < kills.length && kills.length < wantedKills; ) {
    before = kills.length;
    for (const to of ["b", "a"] as const) {
      await moveUnderKills(to);
      const place = await placeOf();
      const left = await service.admin<object[]>("find-leftovers", { organization });
      if (place !== to) broken.push(`after ${kills.length} kills: the workspace is in ${place}`);
      if (left.length > 0) broken.push(`after ${kills.length} kills: ${JSON.stringify(left)} is left`);
      console.log(`moved to cell ${to} after ${kills.length} kills`);
    }
  }
  stop.abort();
  await Promise.race([Promise.all(load), pause(settleWithinMs)]);
  const here = await placeOf();
  const there = here === "a" ? "b" : "a";
  const settledMs = await settle(here);
  clearInterval(minutes);
  for (let page = 1; page > 0; ) page = await reader.readPage();
  const at = {
    ...service,
    sql: <T>(sql: string, ...params: unknown[]) => service.sqlIn(here, sql, ...params) as Promise<T[]>,
  };
  const { broken: ofDeliveries, ...figures } = await findingsOf(at, registered, kills);
  broken.push(...ofDeliveries);
  return judge({ here, there, broken, figures, reader, settledMs, startedMs });
}

async function settle(here: Cell): Promise<number> {
  const fromMs = Date.now();
  for (;;) {
    await service.minutes();
    const [row] = await service.sqlIn(
      here,
      "SELECT count(*) AS pending FROM webhook_deliveries WHERE status = 'pending'",
    );
    if (row?.pending === 0 || Date.now() - fromMs > settleWithinMs) return Date.now() - fromMs;
    await pause(1_000);
  }
}

interface Ran {
  here: Cell;
  there: Cell;
  broken: string[];
  figures: Omit<Awaited<ReturnType<typeof findingsOf>>, "broken">;
  reader: FeedReader;
  settledMs: number;
  startedMs: number;
}

async function judge({ here, there, broken, figures, reader, settledMs, startedMs }: Ran): Promise<boolean> {
  const rows = async (cell: Cell, sql: string) =>
    (await service.sqlIn(cell, sql)).map(({ id }) => String(id));
  const entries = new Set(await rows(here, "SELECT id FROM time_entries"));
  const opened = new Set(
    await rows(here, "SELECT subject_id AS id FROM events WHERE event = 'invoice.sent'"),
  );
  const events = await rows(here, "SELECT id FROM events WHERE category IS NOT NULL ORDER BY sequence");
  const seen = new Set(reader.seen);
  const [left] = await service.sqlIn(there, "SELECT count(*) AS n FROM time_entries");
  const lost = written.filter(({ ids }) => [...ids].some((id) => !entries.has(id))).length;
  const promises: Record<string, [number, number]> = {
    "acknowledged writes that are lost": [lost, 0],
    "keys whose answers named several rows": [written.filter(({ ids }) => ids.size > 1).length, 0],
    "rows beside those of the keys": [entries.size - written.length, 0],
    "rows in the other cell": [Number(left?.n), 0],
    "invoices issued by SQL and lost": [[...issued].filter((id) => !opened.has(id)).length, 0],
    "events that the reader skipped": [events.filter((id) => !seen.has(id)).length, 0],
    "events that the reader saw twice": [reader.seen.length - seen.size, 0],
    "broken promises of deliveries and leftovers": [broken.length, 0],
  };
  console.table(
    Object.fromEntries(
      Object.entries(promises).map(([name, [found, expected]]) => [name, { found, expected }]),
    ),
  );
  console.table({
    "SIGKILLs, each at another call": kills.length,
    "keys written under": written.length,
    "of them interrupted and repeated": written.filter(({ interrupted }) => interrupted > 0).length,
    "invoices issued by SQL": issued.size,
    events: figures.events,
    "deliveries (2 endpoints)": figures.deliveries,
    "deliveries sent again after a 2xx, each across a kill": figures.sentAgain,
    "seconds from the end to all settled": Math.round(settledMs / 1000),
    "seconds in all": Math.round((Date.now() - startedMs) / 1000),
  });
  for (const text of broken.slice(0, 20)) console.error(`✗ ${text}`);
  const held = Object.values(promises).every(([found, expected]) => found === expected);
  console.log(held ? "Nothing was lost, and nothing was done twice." : "A promise did not hold.");
  return held;
}
