import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { sha256Hex } from "../../src/platform/digest.ts";
import { type TwoCells, twoCells } from "../support/cells.ts";
import { type FilledWorkspace, sql, update } from "../support/filled-workspace.ts";
import { everyRowOf, makeWholeWorkspace } from "../support/whole-workspace.ts";
import { insertToken } from "../support/workspace.ts";

let cells: TwoCells;
beforeAll(async () => {
  cells = await twoCells();
});

interface Step {
  state: string;
  next: string | null;
  pause_seconds: number;
}

/** Simulates the command, which passes `next` from each call to the following one. */
function mover(here: FilledWorkspace, more: Record<string, unknown>) {
  let position: string | null = null;
  const command = {
    ask: () =>
      cells.outcomeOf("move-organization", {
        organization: here.organizationId,
        ...more,
        ...(position !== null && { position }),
      }),
    async step(): Promise<Step> {
      const outcome = await command.ask();
      if (!outcome.ok) throw new Error(outcome.message);
      const step = outcome.result as Step;
      position = step.next;
      return step;
    },
    /** Backdates the move before each step, so that no step has to wait. */
    async until(wanted: string): Promise<Step> {
      for (;;) {
        const step = await command.step();
        for (const cell of [cells.a, cells.b])
          await cell.DB.prepare(
            "UPDATE moves SET since = '2026-01-31T09:30:00.000Z' WHERE id = ? AND state <> 'closed'",
          )
            .bind(here.organizationId)
            .run();
        if (step.next === null || (await stateOf(here)) === wanted) return step;
      }
    },
  };
  return command;
}

const stateOf = async ({ organizationId }: FilledWorkspace) => {
  const [move] = await sql<{ state: string }>("SELECT state FROM moves WHERE id = ?", organizationId);
  return move?.state;
};

/** Backdates when the move's mover was last seen. */
const silent = ({ organizationId }: FilledWorkspace, seconds: number) =>
  sql(
    "UPDATE moves SET seen_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ? || ' seconds') WHERE id = ?",
    -seconds,
    organizationId,
  );

const refusal = async (here: FilledWorkspace, more: Record<string, unknown>) => {
  const outcome = await mover(here, more).ask();
  return outcome.ok ? outcome.result : outcome.message;
};

const headers = (token: string) => ({
  apikey: env.GATEWAY_PUBLIC_KEY,
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
});
const list = (token: string, path = "/api-v1/clients") => cells.fetch(path, { headers: headers(token) });
const read = async <T>(token: string, path: string) => (await list(token, path)).json<T>();
const write = (token: string, key: string) =>
  cells.fetch("/api-v1/clients", {
    method: "POST",
    headers: { ...headers(token), "idempotency-key": key },
    body: JSON.stringify({ company_name: key }),
  });

/** Rows in no particular order, without the numbers that each database assigns itself. */
const rowsIn = async (here: FilledWorkspace, database: D1Database) =>
  Object.fromEntries(
    [...(await everyRowOf(here, database))].map(([table, all]) => [
      table,
      all.map(({ sequence: _, ...row }) => JSON.stringify(row)).sort(),
    ]),
  );

async function connectedApp(here: FilledWorkspace) {
  const [organization] = await sql<{ link_prefix: string }>(
    "SELECT link_prefix FROM organizations WHERE id = ?",
    here.organizationId,
  );
  const code = organization?.link_prefix + "c".repeat(35);
  const verifier = "v".repeat(43);
  const [client_id, redirect_uri] = ["https://timer.example/app", "https://timer.example/back"];
  await here.own("connections", {
    ...{ app: client_id, redirect_uri, scopes: '["client:read"]', created_by: here.ownerId },
    code_hash: sha256Hex(code),
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
  });
  const fields = { grant_type: "authorization_code", code, client_id, redirect_uri, code_verifier: verifier };
  return async () =>
    (await cells.fetch("/oauth/token", { method: "POST", body: new URLSearchParams(fields) })).status;
}

/** More evidence than fits into one 2 MB parameter. */
const evidence = (here: FilledWorkspace) =>
  sql(
    `INSERT INTO scope_request_evidence
       (id, organization_id, client_id, content, external_id, created_by, content_fingerprint)
     SELECT 'e' || value || ?1, ?1, ?2, hex(zeroblob(40000)), 'long ' || value, ?3, 'x'
     FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30]')`,
    here.organizationId,
    here.clientId,
    here.ownerId,
  );

/** More events than one part contains. */
const manyEvents = ({ organizationId }: FilledWorkspace) =>
  sql(
    `WITH RECURSIVE each (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM each WHERE n < 350)
     INSERT INTO events (id, organization_id, event, subject_id, payload)
     SELECT hex(randomblob(16)), ?, 'invoice.sent', n, '{}' FROM each`,
    organizationId,
  );

const eventsInOrder = async ({ organizationId }: FilledWorkspace, database: D1Database) =>
  (
    await database
      .prepare("SELECT id FROM events WHERE organization_id = ? ORDER BY sequence")
      .bind(organizationId)
      .raw()
  ).flat();

interface TokenUse {
  id: string;
  requests: number;
  last_used_at: string | null;
}

/** How often and when the workspace's tokens were used. */
async function usesOf({ organizationId: organization }: FilledWorkspace) {
  const { tokens } = await cells.admin<{ tokens: TokenUse[] }>("usage", { organization });
  const listed = await cells.admin<TokenUse[]>("list-api-tokens", { organization });
  const countOf = (token: string) => tokens.find(({ id }) => id === token)?.requests ?? 0;
  return listed.map(({ id, last_used_at }) => ({ id, last_used_at, requests: countOf(id) }));
}

/** Logs a request in the old cell that recorded an event. */
async function logRequest(
  { organizationId }: FilledWorkspace,
  token_id: string,
  eventId: unknown,
): Promise<string> {
  const [event] = await sql<{ sequence: number; created_at: string }>(
    "SELECT sequence, created_at FROM events WHERE id = ?",
    eventId,
  );
  const upTo = event?.sequence ?? 0;
  const request_id = crypto.randomUUID();
  await env.ORGANIZATION_COORDINATOR.getByName(organizationId).logRequests([
    {
      ...{
        request_id,
        at: String(event?.created_at),
        token_id,
        method: "POST",
        route: "/api-v1/clients",
      },
      ...{ status: 201, code: null, error: null, duration_ms: 1, replay: false, subject_id: null },
      events: [{ behind: upTo - 1, upTo }],
    },
  ]);
  return request_id;
}

const leftovers = (here: FilledWorkspace) =>
  cells.admin("find-leftovers", { organization: here.organizationId });

async function made(): Promise<{ here: FilledWorkspace; token: string }> {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const here = await makeWholeWorkspace();
  const token = await insertToken(here);
  await cells.admin("rebuild-directory", { cell: "a" });
  return { here, token };
}

describe("a move", () => {
  it("copies all of a workspace while it is in use, and keeps its links, cursors and keys valid [Z10]", async () => {
    const [{ here, token }, other] = [await made(), await made()];
    const { organizationId } = here;
    await env.IMAGES.put(`organizations/${organizationId}/images/kept`, "picture");
    const share = "s".repeat(32);
    await here.deliverable({ share_url: `https://app.example.com/review/${share}` });
    const first = await (await write(token, "kept")).json<{ id: string }>();
    const feed = "/api-v1/events?limit=200";
    const { latest_cursor } = await read<{ latest_cursor: string }>(token, "/api-v1/events?limit=3");
    const events = await read<{ data: object[] }>(token, `${feed}&cursor=${latest_cursor}`);
    await evidence(here);
    const exchange = await connectedApp(here);
    const exported = await cells.admin("export-organization", { organization: organizationId });
    const sent = vi.spyOn(env.EMAIL, "send");
    const plan = await cells.admin("move-organization", {
      organization: organizationId,
      to: "b",
      dry_run: true,
    });
    expect(plan).toMatchObject({ pictures: 1, refused: null, pause_seconds: expect.any(Number) });

    const command = mover(here, { to: "b" });
    await command.step();
    await command.step();
    const lists = await cells.admin<{ id: string; cell: string; state: string }[]>("list-organizations");
    await command.until("quiet");
    // Changes made after the copy: a new row, an updated one and a deleted one.
    const late = await (await write(token, "late")).json<{ id: string }>();
    await update("clients", here.clientId, { company_name: "Renamed" });
    await sql("DELETE FROM allowed_origins WHERE organization_id = ?", organizationId);
    await env.IMAGES.put(`organizations/${organizationId}/images/late`, "another");
    await manyEvents(here);
    await command.until("closed");

    expect(await exchange()).toBe(503);
    const order = await eventsInOrder(here, env.DB);
    const rows = await rowsIn(here, env.DB);
    const refused = await write(token, "refused");
    expect([refused.status, refused.headers.get("x-should-retry"), await refused.json()]).toMatchObject([
      503,
      "true",
      { code: "organization_is_moving" },
    ]);
    expect((await list(token)).status).toBe(200);
    expect((await write(other.token, "other")).status).toBe(201);
    await expect(here.client()).rejects.toThrow("organization_is_moving");
    expect(await refusal(here, { to: "b" })).toContain("Another command is moving this workspace");
    await expect(
      cells.admin("erase-organization", { organization: organizationId, confirm: organizationId }),
    ).rejects.toThrow("being moved");

    await cells.settled();
    const uses = await usesOf(here);
    expect(uses.some(({ requests }) => requests > 0)).toBe(true);
    await command.until("switched");
    expect(await usesOf(here)).toEqual(uses);
    const lateRequest = await logRequest(here, String(uses[0]?.id), order[0]);
    const done = await command.until("none");
    expect(
      await cells.admin("show-request", { organization: organizationId, request_id: lateRequest }),
    ).toMatchObject({ events: [{ id: order[0] }] });
    expect(done).toMatchObject({ state: "done", from: "a", to: "b" });
    const moved = await rowsIn(here, env.DB_OF_B);
    const audited = moved.audit_log?.filter((row) => !rows.audit_log?.includes(row)) ?? [];
    expect(audited.map((row) => JSON.parse(row).action)).toEqual(["organization.moved"]);
    expect({ ...moved, audit_log: rows.audit_log }).toEqual(rows);
    expect(await eventsInOrder(here, env.DB_OF_B)).toEqual(order);
    expect(await leftovers(here)).toEqual([]);
    expect((await env.IMAGES_OF_B.list({ prefix: `organizations/${organizationId}/` })).objects).toHaveLength(
      2,
    );
    expect(sent).not.toHaveBeenCalled();

    expect(await exchange()).toBe(200);
    const asked = { organization: organizationId, position: exported.next };
    await expect(cells.admin("export-organization", asked)).rejects.toThrow(
      "that the previous step returned",
    );
    expect((await write(token, "refused")).status).toBe(201);
    expect(await (await write(token, "kept")).json()).toMatchObject({
      id: first.id,
      idempotent_replay: true,
    });
    expect(await (await write(token, "late")).json()).toMatchObject({ id: late.id, idempotent_replay: true });
    const after = await read<{ data: object[] }>(token, `${feed}&cursor=${latest_cursor}`);
    expect(after.data.slice(0, events.data.length)).toEqual(events.data);
    expect((await cells.fetch(`/review/${share}`)).status).toBe(200);
    const { data } = await read<{ data: { status: number }[] }>(token, "/api-v1/requests?limit=200");
    expect(data.some(({ status }) => status === 503)).toBe(true);
    const states = await cells.admin<{ id: string; cell: string; state: string }[]>("list-organizations");
    const lineIn = (all: typeof states) => all.find(({ id }) => id === organizationId);
    expect([lineIn(lists), lineIn(states)]).toMatchObject([
      { cell: "a", state: "moving" },
      { cell: "b", state: "open" },
    ]);
    const countOldLinks = () => cells.directory.prepare("SELECT count(*) AS n FROM old_links").first("n");
    const oldLinks = await countOldLinks();
    expect(oldLinks).toBeGreaterThan(0);
    await cells.directory.exec("DELETE FROM old_links");
    await cells.admin("rebuild-directory", { cell: "b" });
    expect(await countOldLinks()).toBe(oldLinks);
    await cells.directory.prepare("DELETE FROM organizations WHERE id = ?").bind(organizationId).run();
    expect(await countOldLinks()).toBe(0);
  });

  it("waits for e-mails and images in progress, and the copy's cron sends nothing meanwhile [Z10]", async () => {
    const { here } = await made();
    const { organizationId: id } = here;
    const command = mover(here, { to: "b" });
    await command.until("quiet");
    await sql(
      "INSERT INTO unsent_facts (organization_id, subject_id, value) VALUES (?, 'token', '2026')",
      id,
    );
    // The step copies the fact but does not raise the fence yet.
    await sql("UPDATE moves SET since = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = ?", id);
    await command.step();
    await cells.minute();
    await sql("UPDATE moves SET since = '2026-01-31T09:30:00.000Z' WHERE id = ?", id);
    const facts = await cells.b.ORGANIZATION_COORDINATOR.getByName(id).keptFacts();
    expect(facts).toEqual({ tokenEnds: {}, invoiceNumber: null });
    await sql(
      "INSERT INTO mail_counts (organization_id, day, address, held_notices) VALUES (?, '2026-01-31', 'a', 1)",
      id,
    );
    const [move] = await sql<{ mover: string }>("SELECT mover FROM moves WHERE id = ?", id);
    const close = async () =>
      (await Reflect.get(cells.frontEnv, "ADMIN_A").move("close", { id, mover: move?.mover })).result;
    const lease = (table: string, column: string, seconds: number | null) =>
      sql(
        `UPDATE ${table} SET ${column} = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ? || ' seconds')
          WHERE organization_id = ?`,
        seconds,
        id,
      );
    const leases = [
      ["requests", "lease_ends_at", 50],
      ["review_notices", "leased_until", 110],
      ["mail_counts", "digest_leased_until", 1_790],
      ["invitations", "mail_due_at", 1_790],
      ["api_tokens", "warning_leased_until", 1_790],
      ["webhook_endpoints", "notice_leased_at", -10],
    ] as const;
    for (const [table, column, seconds] of leases) {
      await lease(table, column, seconds);
      expect([table, await close()]).toEqual([table, { isClosed: false }]);
      await lease(table, column, null);
    }
    const share_url = `https://app.example.com/review/${crypto.randomUUID()}`;
    const unfinished = await here.deliverable({ share_url, embed_url: share_url });
    expect(await close()).toEqual({ isClosed: false });
    await update("deliverables", unfinished, { asset_path: "images/stored" });
    expect(await close()).toEqual({ isClosed: true });
  });

  it("is rejected between unequal cells, to a closed cell and for an incomplete workspace [Z10]", async () => {
    const { here } = await made();
    expect(await refusal(here, { to: "z" })).toBe("to must be one of a, b");
    expect(await refusal(here, { to: "a" })).toBe("The workspace is already in cell a");
    expect(await refusal(here, { back: true })).toBe("This workspace is not moving");
    const { SERVICE_STATE, CODE_KEY } = cells.b;
    cells.configure("b", { SERVICE_STATE: "closed" });
    expect(await refusal(here, { to: "b" })).toBe("Cell b is closed, so it does not accept workspaces");
    cells.configure("b", { SERVICE_STATE, CODE_KEY: "another" });
    expect(await refusal(here, { to: "b" })).toBe("The two cells have different keys");
    expect(await refusal(here, { to: "b", dry_run: true })).toMatchObject({
      refused: "The two cells have different keys",
    });
    cells.configure("b", { CODE_KEY });
    await sql("INSERT INTO imports (id, slug, manifest) VALUES (?, 'half', '{}')", here.organizationId);
    expect(await refusal(here, { to: "b" })).toContain("being moved");
    await sql("DELETE FROM imports");
    expect(await stateOf(here)).toBeUndefined();
  });

  it("can be canceled until the switch, which leaves nothing in the other cell [Z11]", async () => {
    const { here, token } = await made();
    await mover(here, { to: "b" }).until("quiet");
    await silent(here, 20);
    const back = mover(here, { back: true });
    while ((await back.step()).next !== null);
    expect(await stateOf(here)).toBeUndefined();
    expect(await leftovers(here)).toEqual([]);
    expect((await write(token, "afterwards")).status).toBe(201);
  });

  it("accepts the workspace's id in capitals, like every other command [Z10]", async () => {
    const { here } = await made();
    const organization = here.organizationId.toUpperCase();
    const command = mover(here, { to: "b", organization });
    for (const _ of [1, 2]) expect(await command.step()).toMatchObject({ next: expect.any(String) });
    const copied = await leftovers(here);
    expect(copied).not.toEqual([]);
    expect(await cells.admin("find-leftovers", { organization })).toEqual(copied);
    await silent(here, 20);
    const back = mover(here, { back: true, organization });
    while ((await back.step()).next !== null);
    expect(await leftovers(here)).toEqual([]);
  });
});

it("a certificate can be found while its workspace switches cells [Z10]", async () => {
  const { here } = await made();
  const { organizationId } = here;
  const [signOff] = await sql<{ id: string }>(
    "SELECT id FROM sign_offs WHERE organization_id = ?",
    organizationId,
  );
  const setState = cells.directory.prepare("UPDATE organizations SET state = ? WHERE id = ?");
  await setState.bind("switching", organizationId).run();
  await sql("INSERT INTO fences (id, hides) VALUES (?, 1)", organizationId);
  const answered = cells.fetch(`/verify/${signOff?.id}`);
  await scheduler.wait(100);
  await sql("DELETE FROM fences WHERE id = ?", organizationId);
  expect((await answered).status).toBe(200);
  await setState.bind("open", organizationId).run();
});

it("a restored cell erases workspaces that had left it and lists missing ones that came later [Z11]", async () => {
  const [{ here: left }, { here: came }] = [await made(), await made()];
  const at = "2026-01-31T09:30:00.000Z";
  const changing =
    "UPDATE organizations SET cell = ?, moved_from = ?, moved_at = ? WHERE id = ? RETURNING slug";
  const move = (...values: string[]) =>
    cells.directory
      .prepare(changing)
      .bind(...values)
      .first<string>("slug");
  await move("b", "a", at, left.organizationId);
  const organization = await move("a", "b", at, came.organizationId);
  await sql(
    "INSERT INTO moves (id, side, cell, mover, notes, actor, operator) VALUES (?, 'to', 'b', '', 0, '', '')",
    came.organizationId,
  );
  let moved = 0;
  for (let position: string | null | undefined; ; ) {
    const step = await cells.admin<{ moved: number; arrived: object[]; next: string | null }>(
      "after-restore",
      { cell: "a", confirm: true, ...(position && { position }) },
    );
    moved += step.moved;
    position = step.next;
    if (position !== null) continue;
    expect([moved, step.arrived]).toEqual([2, [{ organization, cell: "b", at }]]);
    break;
  }
  for (const here of [left, came]) expect([...(await everyRowOf(here)).values()].flat()).toEqual([]);
});

it("a front reports no failure if a cell's older code cannot move workspaces [Z9]", async () => {
  const older = new TypeError('The RPC receiver does not implement the method "move".');
  vi.spyOn(Reflect.get(cells.frontEnv, "ADMIN_B"), "move").mockRejectedValue(older);
  const reported = vi.spyOn(console, "error").mockImplementation(() => {});
  await cells.minute();
  expect(JSON.stringify(reported.mock.calls)).not.toContain("finish moves");
});

describe("a move command that stopped", () => {
  it("before the switch: the cron reopens the workspace, and cancels the move an hour later [Z11]", async () => {
    const { here, token } = await made();
    await mover(here, { to: "b" }).until("closed");
    expect((await write(token, "one")).status).toBe(503);
    await silent(here, 61);
    await cells.minute();
    expect((await write(token, "one")).status).toBe(201);
    await silent(here, 3_601);
    await cells.minute();
    expect([await stateOf(here), await leftovers(here)]).toEqual([undefined, []]);
  });

  it("after the switch: the move cannot be canceled, and the cron finishes it [Z11]", async () => {
    const { here, token } = await made();
    const command = mover(here, { to: "b" });
    await command.until("closed");
    // The mover dies between the two: the old cell has hidden the workspace, but the new one does not show it yet.
    const hidden = vi.spyOn(env.IMAGES_OF_B, "delete").mockRejectedValue(new Error("the process was killed"));
    await expect(command.ask()).rejects.toThrow("killed");
    hidden.mockRestore();
    expect(await stateOf(here)).toBe("switching");
    expect(await refusal(here, { back: true })).toContain("cannot be canceled");
    await silent(here, 16);
    // The old cell fails again after it has deleted its last row.
    const list = env.IMAGES.list.bind(env.IMAGES);
    const erased = vi.spyOn(env.IMAGES, "list").mockImplementation(async (options) => {
      const rows = await sql("SELECT id FROM organizations WHERE id = ?", here.organizationId);
      if (rows.length === 0) throw new Error("the process was killed");
      return list(options);
    });
    await cells.minute();
    erased.mockRestore();
    expect(await stateOf(here)).toBe("switched");
    expect(await refusal(here, { to: "b" })).toContain("Another command is moving this workspace");
    await silent(here, 16);
    await cells.minute();
    expect((await write(token, "one")).status).toBe(201);
    expect([await stateOf(here), await leftovers(here)]).toEqual([undefined, []]);
  });
});
