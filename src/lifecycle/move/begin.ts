import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { id } from "../../contract/fields.ts";
import { type CellFacts, moveLimits, type OngoingMove } from "../../contract/move.ts";
import { type Refusal, refuse } from "../../contract/refusal.ts";
import type { Staff } from "../../core/actor.ts";
import type { Context } from "../../core/context.ts";
import { storedImages } from "../../core/images/tables.ts";
import type { Moving } from "../../core/services.ts";
import { build, changesRow, row, statement } from "../../db/build.ts";
import { imports } from "../../db/importing.ts";
import { moves } from "../../db/moving.ts";
import { required, run } from "../../db/query.ts";
import { hasErasureBegun } from "../erasure-marks.ts";
import { countOwnRows, readFactsOfCell } from "./either-cell.ts";
import { sqlList } from "./rows.ts";
import { movesFrom, takeOverMove } from "./source.ts";

/** An estimate of a move before it begins. */
const MovePlan = z.object({
  rows: z.int(),
  bytes: z.int().meta({ description: "The size of the images" }),
  pictures: z.int(),
  pause_seconds: z.int().meta({ description: "About how many seconds writes will wait" }),
  refused: z.string().nullable().meta({ description: "Why the workspace cannot be moved; null if it can" }),
});

const MoveStep = z.object({
  id,
  organization: z.string(),
  from: z.string(),
  to: z.string(),
  state: z.string().meta({ description: "copying, quiet, closed, switching, switched, back or done" }),
  rows: z.int(),
  pictures: z.int(),
  pause_seconds: z.int().meta({ description: "How many seconds writes waited" }),
  next: z
    .string()
    .nullable()
    .meta({ description: "The `position` for the next step; null after the last step" }),
});

export const MoveOutcome = z.union([MovePlan, MoveStep]);

type Uses = Context<
  Staff,
  | "db"
  | "cell"
  | "region"
  | "images"
  | "serviceState"
  | "webhookSecretKey"
  | "cursorKeys"
  | "codeKey"
  | "signOffKeys"
  | "processorSecrets"
  | "moving",
  "slug" | "plan"
>;

interface MoveInput {
  to?: string | undefined;
  back?: boolean | undefined;
  dry_run?: boolean | undefined;
  position?: string | undefined;
}

/**
 * Validates a move in the workspace's old cell, then begins the move or takes it over. The front runs the further steps
 * (src/front/move.ts).
 */
export async function beginMove(
  context: Uses,
  { to, back = false, dry_run = false, position }: MoveInput,
): Promise<z.output<typeof MoveOutcome> | Refusal> {
  const { services, organization } = context;
  const [underWay] = await movesFrom(services, organization.id);
  const refused = back
    ? refuseBack(to, underWay)
    : (refuseTo(await readFactsOfCell(services), services.moving, organization.plan, underWay) ??
      (await refuseUnfinished(services, organization.id)));
  if (dry_run) return plan(context, refused);
  if (position !== undefined) return refuse("position_wrong");
  if (refused) return refused;
  return begin(context, underWay?.to ?? services.moving?.target?.name ?? "");
}

function refuseBack(to: string | undefined, underWay: OngoingMove | undefined): Refusal | null {
  if (to !== undefined) return refuse("move_back_to");
  if (!underWay) return refuse("move_not_begun");
  return underWay.state === "switching" || underWay.state === "switched" ? refuse("move_switched") : null;
}

/** Refuses to move a workspace with an unfinished import or erasure. */
async function refuseUnfinished({ db, images }: Uses["services"], id: string): Promise<Refusal | null> {
  if (await run(db, changesRow(build.select({ id: imports.id }).from(imports).where(eq(imports.id, id)))))
    return refuse("organization_is_moving");
  return (await hasErasureBegun(images, id)) ? refuse("move_of_erased") : null;
}

/** Returns why a workspace cannot move from this cell to another; null if it can. */
export function refuseTo(
  here: CellFacts,
  moving: Moving | null,
  plan: string,
  underWay: Pick<OngoingMove, "to" | "state"> | undefined,
): Refusal | null {
  const { target, cells } = moving ?? { target: null, cells: [here.name] };
  if (target === null) return refuse("move_to_unknown", { cells });
  if (target.name === here.name) return refuse("move_there_already", { cell: here.name });
  if (underWay && underWay.to !== target.name) return refuse("move_elsewhere", { cell: underWay.to });
  if (underWay?.state === "back") return refuse("move_goes_back");
  if (underWay) return null;
  if (target.state !== "open") return refuse("move_no_room", { cell: target.name, state: target.state });
  if (target.migration !== here.migration) return refuse("move_cells_differ", { what: "migrations" });
  if (target.keys !== here.keys) return refuse("move_cells_differ", { what: "keys" });
  return target.plans[plan] === here.plans[plan]
    ? null
    : refuse("move_cells_differ", { what: `values for the plan ${plan}` });
}

async function plan(
  { services, organization }: Uses,
  refused: Refusal | null,
): Promise<z.output<typeof MovePlan>> {
  const counts = await countOwnRows(services.db, organization.id);
  const { bytes, pictures } = await run(
    services.db,
    required(
      row(
        { bytes: sql<number>`bytes`.as("bytes"), pictures: sql<number>`pictures`.as("pictures") },
        sql`SELECT coalesce(sum(${storedImages.bytes}), 0) AS bytes, count(*) AS pictures FROM ${storedImages}
          WHERE ${eq(storedImages.organization_id, organization.id)}`,
      ),
    ),
  );
  const count = [...counts.values()].reduce((sum, each) => sum + each, 0);
  const pause_seconds = moveLimits.leastPauseSeconds + Math.ceil(count / moveLimits.summedRowsPerSecond);
  return { rows: count, bytes, pictures, pause_seconds, refused: refused?.text ?? null };
}

async function begin(
  { services, organization, actor }: Uses,
  to: string,
): Promise<z.output<typeof MoveOutcome> | Refusal> {
  const { id, slug } = organization;
  const mover = services.moving?.mover ?? "";
  const operator = actor.kind === "operator" ? actor.operator : "";
  const values = [id, "from", to, mover, 1, actor.email, operator];
  await run(
    services.db,
    statement(sql`INSERT INTO ${moves} (id, side, cell, mover, notes, actor, operator)
      VALUES (${sqlList(values)}) ON CONFLICT DO NOTHING`),
  );
  if (!(await takeOverMove(services, { id, mover }))) return refuse("move_under_way");
  const from = services.cell?.name ?? "";
  return {
    id,
    organization: slug,
    from,
    to,
    state: "copying",
    rows: 0,
    pictures: 0,
    pause_seconds: 0,
    next: mover,
  };
}
