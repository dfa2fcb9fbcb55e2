import { and, eq, type SQL } from "drizzle-orm";
import type { MoveState, MoveSteps } from "../../contract/move.ts";
import type { Refusal } from "../../contract/refusal.ts";
import { build, changesRow } from "../../db/build.ts";
import { now } from "../../db/columns.ts";
import { isIn } from "../../db/is-in.ts";
import { moves } from "../../db/moving.ts";
import type { Query } from "../../db/query.ts";

/** A mover is one run of the command, or of the front's cron, that works on a move. The old cell records it. */

export interface MoverRef {
  id: string;
  mover: string;
}

export type StepResult<N extends keyof MoveSteps> = Promise<MoveSteps[N][1] | Refusal>;
export type StepInput<N extends keyof MoveSteps> = MoveSteps[N][0];

export const isMoveFrom = (id: string) => and(eq(moves.id, id), eq(moves.side, "from"));
export const isMover = ({ id, mover }: MoverRef) => and(isMoveFrom(id), eq(moves.mover, mover));
export const movedId = { id: moves.id };

/** Records that the mover is active. Returns false if another mover has taken over. */
export const recordSeen = (mover: MoverRef): Query<boolean> =>
  changesRow(build.update(moves).set({ seen_at: now }).where(isMover(mover)).returning(movedId));

export const enterState = (mover: MoverRef, state: MoveState, where?: SQL, more = {}): Query<boolean> =>
  changesRow(
    build
      .update(moves)
      .set({ state, since: now, seen_at: now, ...more })
      .where(and(isMover(mover), where))
      .returning(movedId),
  );

export const isInState = (...states: MoveState[]): SQL => isIn(moves.state, states);
