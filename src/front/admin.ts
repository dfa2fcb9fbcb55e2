import { adminBinding, type CellOutcome, cellsOf, type FrontEnv } from "./cells.ts";
import { findCell, findId, keyOfSlugOrId } from "./directory.ts";
import { moveOrganization } from "./move.ts";
import { step } from "./move-work.ts";
import { matchInCell } from "./processor-events.ts";
import { runWithKey } from "./service-keys.ts";

type Fields = Record<string, unknown>;

/**
 * Runs an operation. An operation on a workspace runs in that workspace's cell, and any other in the cell that `cell`
 * names. The front only chooses the cell. The cell validates the call and rejects it if necessary.
 */
export async function runInCell(env: FrontEnv, name: string, given: Fields): Promise<CellOutcome> {
  const { cell, ...fields } = given;
  const names = cellsOf(env);
  if (name === "move-organization") return moveOrganization(env, fields);
  if (cell !== undefined && !names.some((each) => each === cell))
    return adminBinding(env, names[0]).run(name, given);
  if (typeof cell === "string") return runInChosen(env, cell, name, fields);
  if (name === "list-cells") return { ok: true, result: await linesOfCells(env) };
  if (name === "list-organizations") return { ok: true, result: await listOrganizations(env) };
  if (name === "rebuild-directory") return inEachCell(env, name, fields);
  if (name === "record-mail-event" || name === "reseal-webhook-secrets") return inAllCells(env, name, fields);
  const chosen = await cellFor(env, name, fields);
  if (name === "find-leftovers") return findLeftovers(env, chosen, fields);
  return runInChosen(env, chosen, name, fields);
}

function runInChosen(env: FrontEnv, cell: string, name: string, fields: Fields): Promise<CellOutcome> {
  const id = String(fields.id);
  if (name === "match-processor-event")
    return matchInCell(env, { id, cell }, () => runIn(env, cell, name, fields));
  return runWithKey(env, { cell, name, key: fields.key }, (keyed) => runIn(env, keyed, name, fields));
}

/** Runs an operation in a cell and adds the cell's name to each row of a list. */
async function runIn(env: FrontEnv, cell: string, name: string, fields: Fields): Promise<CellOutcome> {
  const outcome = await adminBinding(env, cell).run(name, fields);
  if (!outcome.ok || !Array.isArray(outcome.result) || isOfNoCell(name)) return outcome;
  return { ok: true, result: outcome.result.map((line) => ({ ...line, cell })) };
}

/** Whether a list is the same in every cell, or already includes the cell's name. */
const isOfNoCell = (name: string) => name === "api-scope-catalogue" || name === "list-cells";

/** Finds remnants of a workspace in cells other than its own. */
async function findLeftovers(env: FrontEnv, own: string, fields: Fields): Promise<CellOutcome> {
  const known = await adminBinding(env, own).run("find-leftovers", fields);
  const id = await findId(env.DIRECTORY, String(fields.organization));
  if (!known.ok || id === null) return known;
  const others = cellsOf(env).filter((cell) => cell !== own);
  const found = others.map(async (cell) => {
    const { leftovers } = await step(env, cell, "leftovers", { id });
    return leftovers.map((leftover) => ({ cell, ...leftover }));
  });
  return { ok: true, result: (await Promise.all(found)).flat() };
}

async function cellFor(env: FrontEnv, name: string, fields: Fields): Promise<string> {
  const [first] = cellsOf(env);
  // A repeated command goes to the cell that already has the workspace.
  if (name === "create-organization")
    return (
      (await findCell(env.DIRECTORY, { by: "slug", value: String(fields.slug) })) ?? cellWithMostRoom(env)
    );
  if (name === "import-organization") return (await cellOfCopy(env, fields)) ?? cellWithMostRoom(env);
  if (typeof fields.organization !== "string") return first;
  return (await findCell(env.DIRECTORY, keyOfSlugOrId(fields.organization))) ?? first;
}

/**
 * Finds the cell for an import. Each step contains the workspace's id, and the first step reserves the id for the cell.
 */
async function cellOfCopy(env: FrontEnv, { position, text }: Fields): Promise<string | null> {
  const about = typeof position === "string" ? position : String(text ?? "").slice(0, 1_000);
  const id = /"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/.exec(about)?.[1];
  return id === undefined ? null : findCell(env.DIRECTORY, { by: "id", value: id });
}

interface CellLine {
  name: string;
  region: string | null;
  state: string;
  organizations: number | null;
  bytes: number | null;
  schema: string | null;
}

/** Lists the cells. A cell that does not respond is listed as closed. */
async function linesOfCells(env: FrontEnv): Promise<CellLine[]> {
  const lines = cellsOf(env).map(async (name): Promise<CellLine[]> => {
    const listed = await adminBinding(env, name)
      .run("list-cells", {})
      .catch(() => null);
    if (listed?.ok) return listed.result as CellLine[];
    return [{ name, region: null, state: "closed", organizations: null, bytes: null, schema: null }];
  });
  return (await Promise.all(lines)).flat();
}

/** Returns the open cell with the smallest database, or the first cell if none is open. */
async function cellWithMostRoom(env: FrontEnv): Promise<string> {
  const open = (await linesOfCells(env)).filter(({ state }) => state === "open");
  open.sort((a, b) => (a.bytes ?? 0) - (b.bytes ?? 0));
  return open[0]?.name ?? cellsOf(env)[0];
}

async function listOrganizations({ DIRECTORY: directory }: FrontEnv): Promise<object[]> {
  const { results } = await directory
    .prepare(
      `SELECT id, slug, name, plan, cell, iif(state = 'open', state, 'moving') AS state FROM organizations
        WHERE state NOT IN ('founding', 'arriving') ORDER BY created_at DESC, id DESC`,
    )
    .all<Record<string, string>>();
  return results;
}

/**
 * Runs an operation in all cells and merges the results by adding numbers and joining lists. If one cell's result is
 * `matched`, returns only that one.
 */
async function inAllCells(env: FrontEnv, name: string, fields: Fields): Promise<CellOutcome> {
  const outcomes: CellOutcome[] = [];
  for (const cell of cellsOf(env)) outcomes.push(await adminBinding(env, cell).run(name, fields));
  const refused = outcomes.find(({ ok }) => !ok);
  if (refused) return refused;
  const results = outcomes.map((outcome) => (outcome as { result: Fields }).result);
  const result = results.find(({ matched }) => matched === true) ?? results.reduce(merge);
  return { ok: true, result };
}

const merge = (one: Fields, other: Fields): Fields =>
  Object.fromEntries(Object.entries(one).map(([name, value]) => [name, sum(value, other[name])]));

function sum(value: unknown, other: unknown): unknown {
  if (typeof value === "number" && typeof other === "number") return value + other;
  return Array.isArray(value) && Array.isArray(other) ? [...value, ...other] : value;
}

/**
 * Runs one step of an operation that goes through all cells one by one. `position` begins with the cell's name. The
 * first cell rejects a position that names no cell.
 */
async function inEachCell(
  env: FrontEnv,
  name: string,
  { position, ...fields }: Fields,
): Promise<CellOutcome> {
  const names = cellsOf(env);
  const [, named = "", inside] = /^(\w+)(?::(.*))?$/s.exec(String(position ?? "")) ?? [];
  if (position !== undefined && !names.includes(named))
    return adminBinding(env, names[0]).run(name, { ...fields, position });
  const cell = named || names[0];
  const outcome = await adminBinding(env, cell).run(name, { ...fields, ...(inside && { position: inside }) });
  if (!outcome.ok) return outcome;
  const result = outcome.result as { next: string | null };
  const following = names[names.indexOf(cell) + 1] ?? null;
  const next = result.next === null ? following : `${cell}:${result.next}`;
  return { ok: true, result: { ...result, next } };
}
