import { moveLimits, type OngoingMove } from "../contract/move.ts";
import { report } from "../platform/log.ts";
import { adminBinding, type CellOutcome, cellsOf, type FrontEnv } from "./cells.ts";
import { findCell, findId, keyOfSlugOrId } from "./directory.ts";
import { type Move, type MoveProgress, moveWork, StepRefused, setState, step } from "./move-work.ts";

/**
 * Moves a workspace (contract Z10) by running steps in both cells. The front stores nothing. The cells store the
 * progress, so each call continues where the last one stopped.
 */

type Fields = Record<string, unknown>;

/** Handles one call of the command: validates and begins the move, or continues it until the call's time is up. */
export async function moveOrganization(env: FrontEnv, fields: Fields): Promise<CellOutcome> {
  const id = await findId(env.DIRECTORY, String(fields.organization ?? ""));
  const place = placeIn(fields.position);
  try {
    return await (place && id !== null ? continueMove(env, id, place) : begin(env, id, fields));
  } catch (error) {
    if (error instanceof StepRefused) return error.outcome;
    throw error;
  }
}

function placeIn(position: unknown): MoveProgress | null {
  try {
    const place = JSON.parse(String(position)) as Partial<MoveProgress> | null;
    return typeof place?.mover === "string" ? { ...place, mover: place.mover } : null;
  } catch {
    return null;
  }
}

async function begin(env: FrontEnv, id: string | null, fields: Fields): Promise<CellOutcome> {
  const found = await findMove(env, id);
  const mover = crypto.randomUUID();
  const isBack = fields.back === true || fields.back === "true";
  // After the switch, the rest needs no validation, and the workspace is no longer in the old cell.
  if (id !== null && found?.state === "switched" && fields.to === found.to && !isBack)
    return continueMove(env, id, { mover });
  const named = keyOfSlugOrId(String(fields.organization ?? ""));
  const from = found?.from ?? (await findCell(env.DIRECTORY, named)) ?? cellsOf(env)[0];
  const outcome = await judge(env, from, fields, mover);
  if (!outcome.ok || !("next" in outcome.result) || id === null) return outcome;
  if (isBack) await step(env, from, "goBack", { id, mover });
  return { ok: true, result: { ...outcome.result, next: JSON.stringify({ mover }) } };
}

/** Asks the old cell to begin the move or to reject it. */
async function judge(env: FrontEnv, from: string, fields: Fields, mover: string): Promise<CellOutcome> {
  const cells = cellsOf(env);
  const to = cells.find((cell) => cell === fields.to);
  const target = to === undefined ? null : await step(env, to, "cell", {});
  return adminBinding(env, from).run("move-organization", fields, { target, cells, mover });
}

async function findMove(env: FrontEnv, id: string | null): Promise<(OngoingMove & { from: string }) | null> {
  if (id === null) return null;
  for (const from of cellsOf(env)) {
    const [found] = (await step(env, from, "underWay", { id })).moves;
    if (found) return { ...found, from };
  }
  return null;
}

async function continueMove(env: FrontEnv, id: string, place: MoveProgress): Promise<CellOutcome> {
  const found = await findMove(env, id);
  if (!found) return { ok: true, result: await resultOfEnded(env, id, place) };
  const { from, to, slug, state } = found;
  await step(env, from, "take", { id, mover: place.mover });
  const move: Move = {
    ...found,
    env,
    place,
    mover: place.mover,
    rows: 0,
    pictures: 0,
    endMs: Date.now() + moveLimits.stepMs,
  };
  await moveWork[state](move);
  const { rows, pictures } = move;
  const result = { id, organization: slug, from, to, state, rows, pictures, pause_seconds: 0 };
  return { ok: true, result: { ...result, next: JSON.stringify(place) } };
}

async function resultOfEnded(
  { DIRECTORY }: FrontEnv,
  id: string,
  { pausedMs = 0 }: MoveProgress,
): Promise<object> {
  const entry = await DIRECTORY.prepare("SELECT slug, cell, moved_from FROM organizations WHERE id = ?")
    .bind(id)
    .first<{ slug: string; cell: string; moved_from: string | null }>();
  const { slug: organization = "", cell: to = "", moved_from } = entry ?? {};
  const pause_seconds = Math.ceil(pausedMs / 1000);
  return {
    id,
    organization,
    from: moved_from ?? to,
    to,
    state: "done",
    rows: 0,
    pictures: 0,
    pause_seconds,
    next: null,
  };
}

/** How long one cron run may take. */
const minuteMs = 20_000;

/** Runs every minute. Finishes moves that have switched, and cancels those whose command stopped long ago. */
export async function finishMoves(env: FrontEnv): Promise<void> {
  const endMs = Date.now() + minuteMs;
  for (const cell of cellsOf(env)) {
    try {
      const { moves } = await step(env, cell, "underWay", {});
      for (const found of moves)
        await finish(env, cell, found, endMs).catch((error) =>
          report({ failed: "finish a move", organization_id: found.id }, error),
        );
    } catch (error) {
      if (!isOfOlderCell(error)) report({ failed: "finish moves", cell }, error);
    }
  }
}

/** Whether the cell runs the previous release, which cannot move workspaces. */
const isOfOlderCell = (error: unknown) => /does not implement the method/.test(String(error));

async function finish(env: FrontEnv, from: string, found: OngoingMove, endMs: number): Promise<void> {
  const { id, state, silentSeconds } = found;
  if (silentSeconds < moveLimits.moverSeconds) return;
  const place = { mover: crypto.randomUUID() };
  if (!["switching", "switched", "back"].includes(state)) {
    // The command may have stopped just before the switch.
    await setState({ env, id }, "moving");
    if (silentSeconds < moveLimits.silentMoveSeconds) return;
    await step(env, from, "take", { id, mover: place.mover });
    await step(env, from, "goBack", { id, mover: place.mover });
  }
  for (let next: unknown = ""; next !== null && Date.now() < endMs; ) {
    const outcome = await continueMove(env, id, place);
    next = outcome.ok ? Reflect.get(outcome.result, "next") : null;
  }
}
