import {
  type CopyPosition,
  type MovePart,
  type MoveSteps,
  moveLimits,
  type OngoingMove,
  type TableSums,
} from "../contract/move.ts";
import { adminBinding, type CellOutcome, type FrontEnv } from "./cells.ts";

/** The work of the front in each state of a move (contract Z10). */

/** Thrown if a cell rejects a step. `outcome` has the cell's message. */
export class StepRefused extends Error {
  readonly outcome: CellOutcome;

  constructor(outcome: CellOutcome) {
    super("a cell refuses a step of a move");
    this.outcome = outcome;
  }
}

/** Runs a step in a cell. The cast is safe, because both sides have the same `MoveSteps`. */
export async function step<N extends keyof MoveSteps>(
  env: FrontEnv,
  cell: string,
  name: N,
  input: MoveSteps[N][0],
): Promise<MoveSteps[N][1]> {
  const outcome = await adminBinding(env, cell).move(name, input);
  if (!outcome.ok) throw new StepRefused(outcome);
  return outcome.result as MoveSteps[N][1];
}

/** What one call of the command passes to the next. Without it, the move compares more than necessary. */
export interface MoveProgress {
  mover: string;
  /** Images up to this path are copied; null if all are. */
  images?: string | null;
  /** When writes began to wait, and how long they waited. */
  closedMs?: number;
  pausedMs?: number;
}

export interface Move extends Pick<OngoingMove, "id" | "slug" | "to" | "since" | "actor" | "operator"> {
  env: FrontEnv;
  from: string;
  mover: string;
  place: MoveProgress;
  /** What this call has copied. */
  rows: number;
  pictures: number;
  /** When this call stops and reports its progress. */
  endMs: number;
}

export const setState = ({ env, id }: Pick<Move, "env" | "id">, state: "open" | "moving" | "switching") =>
  env.DIRECTORY.prepare(
    "UPDATE organizations SET state = ? WHERE id = ? AND state NOT IN ('founding', 'arriving')",
  )
    .bind(state, id)
    .run();

/** The work in each state of a move. Each call does part of it. */
export const moveWork: Readonly<Record<OngoingMove["state"], (move: Move) => Promise<unknown>>> = {
  async copying(move) {
    const { env, from, id, mover } = move;
    await setState(move, "moving");
    if ((await copyRows(move)) && (await copyImages(move))) await step(env, from, "quiet", { id, mover });
  },

  /** Waits until everything that was sent is recorded and the fence is raised. */
  async quiet(move) {
    const { env, from, id, mover, place } = move;
    if (!(await copyRows(move))) return;
    const { isClosed } = await step(env, from, "close", { id, mover });
    if (isClosed) Object.assign(place, { closedMs: Date.now(), images: "" });
    else await scheduler.wait(pollIntervalMs);
  },

  /** Copies the rest, compares everything, and switches the workspace, while changes are blocked. */
  async closed(move) {
    const { env, from, to, id, mover, since, place } = move;
    if (!((await copyRows(move, true)) && (await copyImages(move)))) return;
    const differs = await compare(move);
    await step(env, to, "publishLinks", { id, mover });
    if (differs.length === 0) await setState(move, "switching");
    const { isHidden } = await step(env, from, "hide", { id, mover, since, differs });
    if (!isHidden) return setState(move, "moving");
    await switchOver(move);
    place.pausedMs = Date.now() - (place.closedMs ?? Date.now());
  },

  switching: switchOver,

  /** Erases everything in the old cell. */
  async switched(move) {
    const { env, from, to, id, mover, since } = move;
    await scheduler.wait(Math.max(0, Date.parse(since) + moveLimits.lateLogMs - Date.now()));
    const { requests } = await step(env, from, "lateRequests", { id, mover, since: oneMinuteEarlier(since) });
    await step(env, to, "addRequests", { id, mover, requests });
    if (!(await step(env, from, "eraseSource", { id, mover })).isDone) return;
    await setState(move, "open");
    await step(env, from, "end", { id, mover });
  },

  async back(move) {
    const { env, from, to, id, mover } = move;
    if (!(await step(env, to, "discard", { id })).isDone) return;
    await setState(move, "open");
    await step(env, from, "end", { id, mover });
  },
};

const pollIntervalMs = 300;

const oneMinuteEarlier = (time: string) => new Date(Date.parse(time) - 60_000).toISOString();

/** How many times a part may wait for a row that it refers to, which comes with the next changes. */
const maxLate = 20;

/**
 * Copies rows for a short time. Returns true once the copy has all rows or, while rows change, all but the last
 * changes.
 */
async function copyRows(move: Move, isFinal = false): Promise<boolean> {
  const { env, from, to, id, mover, slug, actor, operator } = move;
  let { position } = await step(env, to, "openCopy", { id, mover, from, slug, actor, operator });
  let done: MovePart["done"] = [];
  for (let late = 0; late < maxLate; ) {
    const part: MovePart = await step(env, from, "read", { id, mover, position, hasPages: late === 0, done });
    const copied = [...part.changed, ...part.pages];
    if (position.table === null && part.done.length === 0) return true;
    const applied: { position: CopyPosition; isLate: boolean } = await step(env, to, "apply", {
      id,
      mover,
      position,
      part,
      isReversed: late % 2 === 1,
    });
    late = applied.isLate ? late + 1 : 0;
    done = applied.isLate ? [] : part.done;
    position = applied.position;
    if (!applied.isLate) move.rows += copied.reduce((sum, { rows }) => sum + rows.length, 0);
    if (applied.isLate) continue;
    if (!isFinal && position.table === null && done.length < moveLimits.changedRows) return true;
    if (!isFinal && Date.now() > move.endMs) return false;
  }
  throw new Error("a row of a move refers to one that never arrives");
}

/**
 * Copies images for a short time, and deletes copies whose images are gone. Returns true once the copy has all images.
 */
async function copyImages(move: Move): Promise<boolean> {
  const { env, from, to, id, mover, place } = move;
  for (let after = place.images ?? ""; place.images !== null; ) {
    const [here, there] = (await Promise.all(
      [from, to].map((cell) => step(env, cell, "images", { id, mover, after })),
    )) as [MoveSteps["images"][1], MoveSteps["images"][1]];
    const left = new Set(here.images.map(({ path }) => path));
    const gone = there.images.map(({ path }) => path).filter((path) => !left.has(path));
    const paths = gone.filter((path) => here.next === null || path <= here.next);
    if (paths.length > 0) await step(env, to, "dropImages", { id, mover, paths });
    const marks = new Map(there.images.map(({ path, mark }) => [path, mark]));
    for (const { path, mark } of here.images) {
      if (marks.get(path) === mark) continue;
      const { image } = await step(env, from, "readImage", { path });
      if (image) await step(env, to, "putImage", { id, mover, path, ...image });
      move.pictures += 1;
      place.images = path;
      if (Date.now() > move.endMs) return false;
    }
    place.images = here.next;
    after = here.next ?? "";
    if (Date.now() > move.endMs && place.images !== null) return false;
  }
  return true;
}

/** Returns the tables whose row counts or digest sums differ. */
async function compare({ env, from, to, id, mover }: Move): Promise<string[]> {
  const sumIn = async (cell: string) => {
    const sums: Record<string, readonly [number, string]> = {};
    for (let next: TableSums["next"] = null, isFirst = true; isFirst || next !== null; isFirst = false) {
      const part: TableSums = await step(env, cell, "sums", { id, mover, next });
      Object.assign(sums, part.sums);
      next = part.next;
    }
    return sums;
  };
  const [here, there] = (await Promise.all([sumIn(from), sumIn(to)])) as [
    TableSums["sums"],
    TableSums["sums"],
  ];
  return Object.keys(here).filter((table) => String(here[table]) !== String(there[table]));
}

/** Shows the workspace in its new cell and updates the directory. This cannot be undone. */
async function switchOver(move: Move): Promise<void> {
  const { env, from, to, id, mover, slug, actor, operator } = move;
  const { isDone } = await step(env, to, "openCopy", { id, mover, from, slug, actor, operator });
  const { facts, now } = await step(env, from, "factsOf", { id, mover });
  if (!isDone) {
    for (let afterId: number | null = 0; afterId !== null; ) {
      const kept: MoveSteps["readKept"][1] = await step(env, from, "readKept", { id, mover, afterId });
      await step(env, to, "keepKept", { id, mover, lines: kept.lines, isFirst: afterId === 0 });
      afterId = kept.next;
    }
    while ((await step(env, to, "finish", { id, mover, facts, notBefore: now, from, to })).isEarly)
      await scheduler.wait(pollIntervalMs);
  }
  await env.DIRECTORY.prepare(
    `UPDATE organizations SET cell = ?2, state = 'moving', moved_from = ?3,
      moved_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = ?1 AND cell = ?3`,
  )
    .bind(id, to, from)
    .run();
  await step(env, from, "settle", { id, mover });
}
