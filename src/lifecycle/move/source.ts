import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { mailLeaseMinutes } from "../../contract/mail-leases.ts";
import { type MoveState, moveLimits, type OngoingMove } from "../../contract/move.ts";
import { refuse } from "../../contract/refusal.ts";
import { ledger } from "../../core/ledger/tables.ts";
import { mailCounts } from "../../core/mails/tables.ts";
import type { Services } from "../../core/services.ts";
import { build, changesRow, rows, statement } from "../../db/build.ts";
import { now, nowWith } from "../../db/columns.ts";
import { fences } from "../../db/fencing.ts";
import { moveChanges, moves } from "../../db/moving.ts";
import { batch, type Query, run } from "../../db/query.ts";
import { deliverables } from "../../review/deliverables/tables.ts";
import { reviewNotices } from "../../review/notices/tables.ts";
import { webhookEndpoints } from "../../webhooks/endpoints/tables.ts";
import { directoryChanges } from "../../workspace/directory/tables.ts";
import { invitations } from "../../workspace/members/tables.ts";
import { organizations } from "../../workspace/organizations/tables.ts";
import { apiTokens } from "../../workspace/tokens/tables.ts";
import { eraseOrganizationRows } from "../erase-organization.ts";
import { removeMarks } from "../erasure-marks.ts";
import {
  enterState,
  isInState,
  isMoveFrom,
  isMover,
  type MoverRef,
  movedId,
  recordSeen,
  type StepInput,
  type StepResult,
} from "./mover.ts";

/** Steps of a move in the workspace's old cell (contract Z10). */

/** Takes over a move whose mover has been silent for a while. */
export function takeOverMove({ db }: Pick<Services, "db">, mover: MoverRef): Promise<boolean> {
  const isSilent = sql`(mover = ${mover.mover} OR seen_at < ${nowWith(`-${moveLimits.moverSeconds} seconds`)})`;
  const taken = build.update(moves).set({ mover: mover.mover, seen_at: now });
  return run(db, changesRow(taken.where(and(isMoveFrom(mover.id), isSilent)).returning(movedId)));
}

/** Stops the workspace's new deliveries, and the e-mails that the cron sends for it. */
export async function quietMove({ db }: Pick<Services, "db">, mover: MoverRef): StepResult<"quiet"> {
  if (!(await run(db, enterState(mover, "quiet", isInState("copying"))))) return refuse("move_under_way");
  return {};
}

/**
 * Whether an e-mail is being sent or a new deliverable's image is being stored, which takes less than a minute. After a
 * failure, an e-mail's lease can last longer.
 */
function isUnderWay(organizationId: string): SQL {
  const leased = (table: SQLiteTable & { organization_id: SQLiteColumn }, isLeased: SQL) =>
    sql`EXISTS (SELECT 1 FROM ${table} WHERE ${eq(table.organization_id, organizationId)} AND ${isLeased})`;
  const isFresh = (lease: SQLiteColumn, minutes: number) =>
    sql`${lease} BETWEEN ${nowWith(`+${minutes - 1} minutes`)} AND ${nowWith(`+${minutes} minutes`)}`;
  const { reviewNotice, digest, invitation, tokenWarning } = mailLeaseMinutes;
  const { due_at, leased_until } = reviewNotices;
  const { held_notices, digest_leased_until } = mailCounts;
  // The legacy route inserts the deliverable before it stores the image.
  const isWithoutImage = sql`${deliverables.asset_path} IS NULL`;
  const isWithoutEmbed = eq(deliverables.embed_url, deliverables.share_url);
  const all = [
    leased(ledger, sql`${ledger.lease_ends_at} > ${now}`),
    leased(reviewNotices, sql`${due_at} IS NOT NULL AND ${isFresh(leased_until, reviewNotice)}`),
    leased(mailCounts, sql`${held_notices} > 0 AND ${isFresh(digest_leased_until, digest)}`),
    leased(invitations, isFresh(invitations.mail_due_at, invitation)),
    leased(apiTokens, isFresh(apiTokens.warning_leased_until, tokenWarning)),
    leased(webhookEndpoints, sql`${webhookEndpoints.notice_leased_at} > ${nowWith("-1 minute")}`),
    leased(
      deliverables,
      sql`${deliverables.created_at} > ${nowWith("-1 minute")} AND ${isWithoutImage} AND ${isWithoutEmbed}`,
    ),
  ];
  return sql`(${sql.join(all, sql` OR `)})`;
}

/** Raises the fence once no delivery or e-mail is in progress, so that everything sent has been recorded. */
export async function closeMove(
  { db, coordinators }: Pick<Services, "db" | "coordinators">,
  mover: MoverRef,
): StepResult<"close"> {
  const sent = await coordinators.getByName(mover.id).sentMails();
  const entries = ledger.organization_id;
  const isUnrecorded = sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(sent)}) AS mail
    JOIN ${ledger} ON ${entries} = ${mover.id} AND ${ledger.key} = mail.value WHERE ${ledger.answer} IS NULL)`;
  const isQuiet = sql`since < ${nowWith(`-${moveLimits.quietSeconds} seconds`)}
    AND NOT ${isUnderWay(mover.id)} AND NOT ${isUnrecorded}`;
  const [, isClosed] = await batch(db, [
    recordSeen(mover),
    enterState(mover, "closed", and(isInState("quiet"), isQuiet)),
    statement(sql`INSERT INTO ${fences} (id, hides) SELECT id, 0 FROM ${moves}
      WHERE ${isMover(mover)} AND state = 'closed' ON CONFLICT DO NOTHING`),
  ]);
  return { isClosed };
}

/** Reopens the workspace and keeps its copy. */
const reopen = (where: SQL | undefined): Query<void>[] => {
  const closed = sql`SELECT id FROM ${moves} WHERE ${where} AND state IN ('quiet', 'closed')`;
  return [
    statement(sql`DELETE FROM ${fences} WHERE id IN (${closed})`),
    statement(sql`UPDATE ${moves} SET state = 'copying', since = ${now} WHERE id IN (${closed})`),
  ];
};

/** Reopens workspaces whose mover has stopped. The next mover continues the copy. */
export async function reopenAbandonedMoves({ db, cell }: Pick<Services, "db" | "cell">): Promise<void> {
  if (cell === null) return;
  const isSilent = sql`seen_at < ${nowWith(`-${moveLimits.silentFenceSeconds} seconds`)}`;
  await batch(db, reopen(and(eq(moves.side, "from"), isSilent)));
}

/** Hides the workspace in this cell. From then on, the move cannot be canceled. */
export async function hideMove(
  { db }: Pick<Services, "db">,
  { since, differs, ...mover }: StepInput<"hide">,
): StepResult<"hide"> {
  if (differs.length > 0) {
    await batch(db, reopen(isMover(mover)));
    return refuse("move_differs", { tables: differs });
  }
  const [isHidden] = await batch(db, [
    enterState(mover, "switching", and(isInState("closed"), eq(moves.since, since)), { notes: false }),
    statement(sql`UPDATE ${fences} SET hides = 1 WHERE id IN
      (SELECT id FROM ${moves} WHERE ${isMover(mover)} AND state = 'switching')`),
  ]);
  return { isHidden };
}

/** Records that the directory names the new cell. */
export async function settleMove({ db }: Pick<Services, "db">, mover: MoverRef): StepResult<"settle"> {
  const isSettled = await run(db, enterState(mover, "switched", isInState("switching", "switched")));
  return isSettled ? {} : refuse("move_under_way");
}

/** Erases some rows of a workspace that has switched to its new cell. */
export async function eraseSource(
  services: Pick<Services, "db" | "images" | "eraseCoordinator">,
  mover: MoverRef,
): StepResult<"eraseSource"> {
  const seen = build
    .update(moves)
    .set({ seen_at: now })
    .where(and(isMover(mover), isInState("switched")));
  if (!(await run(services.db, changesRow(seen.returning(movedId))))) return refuse("move_under_way");
  return { isDone: await eraseRows(services, mover.id) };
}

/** Erases some of a workspace's rows in this cell. Returns true if there are none left. */
export async function eraseRows(
  services: Pick<Services, "db" | "images" | "eraseCoordinator">,
  organizationId: string,
): Promise<boolean> {
  const { next } = await eraseOrganizationRows(services, organizationId);
  if (next !== null) return false;
  await removeMarks(services.images, organizationId);
  await run(
    services.db,
    statement(build.delete(directoryChanges).where(eq(directoryChanges.id, organizationId))),
  );
  return true;
}

/** Ends a finished move. */
export async function endMove({ db }: Pick<Services, "db">, mover: MoverRef): StepResult<"end"> {
  const isOurs = sql`EXISTS (SELECT 1 FROM ${moves} WHERE ${isMover(mover)})`;
  await batch(db, [
    statement(build.delete(moveChanges).where(and(eq(moveChanges.move, mover.id), isOurs))),
    statement(build.delete(moves).where(isMover(mover))),
  ]);
  return {};
}

/** Cancels the move and reopens the workspace, which stays in this cell. */
export async function cancelMove({ db }: Pick<Services, "db">, mover: MoverRef): StepResult<"goBack"> {
  const [isBack] = await batch(db, [
    enterState(mover, "back", isInState("copying", "quiet", "closed", "back"), { notes: false }),
    statement(
      sql`DELETE FROM ${fences} WHERE id IN (SELECT id FROM ${moves} WHERE ${isMover(mover)} AND state = 'back')`,
    ),
  ]);
  if (!isBack) return refuse("move_switched");
  return {};
}

/** Lists all moves from this cell, or one workspace's. */
export function movesFrom({ db }: Pick<Services, "db">, organizationId?: string): Promise<OngoingMove[]> {
  const of = organizationId === undefined ? sql`true` : eq(moves.id, organizationId);
  const fields = {
    id: moves.id,
    slug: sql<string>`slug`.as("slug"),
    to: sql<string>`cell`.as("to"),
    state: sql<MoveState>`state`.as("state"),
    since: moves.since,
    silentSeconds: sql<number>`silentSeconds`.as("silentSeconds"),
    actor: moves.actor,
    operator: moves.operator,
  };
  const found = rows(
    fields,
    sql`SELECT ${moves.id}, coalesce(slug, '') AS slug, ${moves.cell} AS "to", state, since, actor, operator,
      unixepoch() - unixepoch(seen_at) AS "silentSeconds"
      FROM ${moves} LEFT JOIN ${organizations} ON ${organizations.id} = ${moves.id}
      WHERE ${moves.side} = 'from' AND ${of} ORDER BY ${moves.id}`,
  );
  return run(db, found);
}
