import { frontHeaders } from "../contract/front.ts";
import { limits } from "../contract/limits.ts";
import { stripePath } from "../contract/processor-path.ts";
import { report } from "../platform/log.ts";
import { type CellOutcome, cellsOf, type FrontEnv, forward, forwardToAny } from "./cells.ts";
import { readText } from "./read-text.ts";

/** Used only between cells and the front: the cell does not have the event's invoice, deposit or payment. */
const notKnownHere = 421;

/** Used like `notKnownHere`: the event belongs to a workspace of the cell, which therefore keeps it. */
const belongsThere = 409;

/** After this time, an event that no cell knows goes to the first cell, as unmatched. */
const waitSeconds = 60;

/** How long an unmatched event can follow its payment to another cell: as long as banks allow disputes. */
const followDays = 540;

/** Waiting events delivered per minute, newest first, because the oldest may wait for a cell that is down. */
const eventsAtOnce = 200;

interface Waiting {
  id: string;
  payment: string | null;
  body: string;
  cell: string | null;
  isDue: number;
}

/**
 * Handles POST /processor/stripe. The cell that has the event's invoice, deposit or payment receives the event. If
 * there is none yet, the cell is down or the workspace is moving, the event is stored once a cell has verified its
 * signature. Any failure is a 500, so that Stripe retries.
 */
export async function receiveEventForCells(request: Request, env: FrontEnv): Promise<Response> {
  const whole = request.clone();
  const body = await readText(request, limits.processorEventBytes);
  if (body === null) return forwardToAny(env, whole);
  const offered = await offer(env, request, body, "offer");
  try {
    if ("cell" in offered) {
      const { payment, cell, answer } = offered;
      if (payment !== null && answer.ok) await gatherPayment(env, payment, cell);
      return answer;
    }
    if (!offered.isVerified) return offered.answer ?? failed();
    await keep(env.DIRECTORY, String((JSON.parse(body) as { id: unknown }).id), offered.payment, body);
    return Response.json({ received: true });
  } catch (error) {
    report({ path: stripePath }, error);
    return failed();
  }
}

const failed = () => new Response(null, { status: 500 });

interface Received {
  cell: string;
  payment: string | null;
  answer: Response;
}

interface NotReceived {
  /** Whether a cell verified the signature but does not have the event's records. */
  isVerified: boolean;
  /** Whether a cell failed or did not respond. */
  isAnyAway: boolean;
  payment: string | null;
  /** The failed cell's response. */
  answer?: Response | undefined;
}

/** Offers an event to each cell until one of them receives it or refuses it permanently. */
async function offer(
  env: FrontEnv,
  request: Request,
  body: string,
  event: "offer" | "kept",
): Promise<Received | NotReceived> {
  const not: NotReceived = { isVerified: false, isAnyAway: false, payment: null };
  for (const cell of cellsOf(env)) {
    const answer = await forward(env, cell, withBody(request, body), { event }).catch(() => null);
    const payment = answer?.headers.get(frontHeaders.event) || null;
    if (answer?.status === notKnownHere) {
      not.isVerified = true;
      not.payment = payment ?? not.payment;
    } else if (answer === null || answer.status >= 500) {
      not.isAnyAway = true;
      not.answer ??= answer ?? undefined;
    } else return { cell, payment, answer: withoutFront(answer) };
  }
  return not;
}

function withoutFront(answer: Response): Response {
  const response = new Response(answer.body, answer);
  response.headers.delete(frontHeaders.event);
  return response;
}

const keep = (directory: D1Database, id: string, payment: string | null, body: string): Promise<unknown> =>
  directory
    .prepare("INSERT INTO waiting_events (id, payment, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
    .bind(id, payment, body)
    .run();

const stored = `SELECT id, payment, body, cell,
  received_at <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${waitSeconds} seconds') AS isDue FROM waiting_events`;

/** Rebuilds a request whose body has already been read. */
const withBody = ({ url, headers }: Request, body: string) =>
  new Request(url, { method: "POST", headers, body, redirect: "manual" });

/** Creates a request made by the front itself. It does not cross a network. */
const internally = () => new Request(`http://localhost${stripePath}`, { method: "POST" });

/**
 * Runs every minute. Delivers stored events to the cell that can now match them, or after a while to the first cell.
 */
export async function deliverPending(env: FrontEnv): Promise<void> {
  const { DIRECTORY: directory } = env;
  const { results } = await directory
    .prepare(`${stored} WHERE cell IS NULL ORDER BY received_at DESC LIMIT ${eventsAtOnce}`)
    .all<Waiting>();
  for (const event of results)
    await deliver(env, event).catch((error) => report({ failed: "deliver a payment event" }, error));
  await directory
    .prepare(
      `DELETE FROM waiting_events WHERE cell IS NOT NULL
        AND received_at < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${followDays} days')`,
    )
    .run();
}

async function deliver(env: FrontEnv, { id, body, isDue }: Waiting): Promise<void> {
  const offered = await offer(env, internally(), body, "kept");
  if ("cell" in offered) {
    if (!offered.answer.ok) return;
    if (offered.payment !== null) await gatherPayment(env, offered.payment, offered.cell);
    await forget(env.DIRECTORY, id);
    return;
  }
  if (offered.isAnyAway || !isDue) return;
  await assign(env, { id, body, cell: null }, cellsOf(env)[0]);
}

/**
 * Makes a cell record an event even if it cannot match it. The cell that had the event before drops it. If the event
 * belongs to a workspace of that cell by now, it stays there.
 */
async function assign(
  env: FrontEnv,
  { id, body, cell: before }: Pick<Waiting, "id" | "body" | "cell">,
  cell: string,
): Promise<void> {
  const taken = await forward(env, cell, withBody(internally(), body), { event: "last" });
  if (!taken.ok) return;
  if (before !== null && !(await leave(env, before, body))) {
    await leave(env, cell, body);
    await forget(env.DIRECTORY, id);
    return;
  }
  await env.DIRECTORY.prepare("UPDATE waiting_events SET cell = ? WHERE id = ?").bind(cell, id).run();
}

const forget = (directory: D1Database, id: string): Promise<unknown> =>
  directory.prepare("DELETE FROM waiting_events WHERE id = ?").bind(id).run();

/** Moves the other events of a payment to the payment's cell, in whatever order they arrived. */
async function gatherPayment(env: FrontEnv, payment: string, cell: string): Promise<void> {
  const { results } = await env.DIRECTORY.prepare(`${stored} WHERE payment = ? AND cell IS NOT ?`)
    .bind(payment, cell)
    .all<Waiting>();
  for (const event of results) await moveEvent(env, event, cell);
}

async function moveEvent(env: FrontEnv, { id, body, cell: before }: Waiting, cell: string): Promise<void> {
  const moved = await forward(env, cell, withBody(internally(), body), { event: "kept" });
  if (!moved.ok) return;
  if (before !== null) await leave(env, before, body);
  await forget(env.DIRECTORY, id);
}

/** Makes a cell drop an event. Returns false if the event belongs to one of the cell's workspaces. */
async function leave(env: FrontEnv, cell: string, body: string): Promise<boolean> {
  const { ok, status } = await forward(env, cell, withBody(internally(), body), { event: "forget" });
  if (!ok && status !== belongsThere) throw new Error(`cell ${cell} did not drop a payment event`);
  return ok;
}

/**
 * Moves an unmatched event to the cell of the invoice that an operator chose for the event, and then, once `match` has
 * matched it, the refunds and disputes of its payment. A repeated call continues an interrupted one.
 */
export async function matchInCell(
  env: FrontEnv,
  { id, cell }: { id: string; cell: string },
  match: () => Promise<CellOutcome>,
): Promise<CellOutcome> {
  const { DIRECTORY: directory } = env;
  const event = await directory.prepare(`${stored} WHERE id = ?`).bind(id).first<Waiting>();
  if (event !== null && event.cell !== cell) await assign(env, event, cell);
  const outcome = await match();
  if (event === null) return outcome;
  if (event.payment !== null) await gatherPayment(env, event.payment, cell);
  if (outcome.ok) await forget(directory, id);
  return outcome;
}
