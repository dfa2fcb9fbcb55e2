import { env } from "cloudflare:workers";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it, vi } from "vitest";
import { ExportFolder } from "../../scripts/admin/export-folder.ts";
import { importFolder } from "../../scripts/admin/import-folder.ts";
import { runSteps } from "../../scripts/admin/run-steps.ts";
import { Refusal } from "../../src/contract/refusal.ts";
import { erasedClients, markErasure } from "../../src/lifecycle/erasure-marks.ts";
import type { AdminOutcome } from "../../src/operations/admin.ts";
import { runOperation } from "../../src/operations/run-operation.ts";
import { newSecret } from "../../src/platform/secret.ts";
import { servicesOf } from "../../src/services.ts";
import { purgeEvents } from "../../src/webhooks/deliveries/purge-events.ts";
import { makeInvoicesOverdue } from "../../src/work/invoices/make-overdue.ts";
import { admin, callAdmin } from "../support/admin.ts";
import { coordinatorStub, loggedRequest } from "../support/coordinator.ts";
import { type FilledWorkspace, makeFilledWorkspace, sql, update } from "../support/filled-workspace.ts";
import { call, post } from "../support/partner.ts";
import { SettingsBrowser, signedIn } from "../support/settings.ts";
import { countSideEffects } from "../support/snapshot.ts";
import { everyRowOf, makeWholeWorkspace } from "../support/whole-workspace.ts";
import { insertToken } from "../support/workspace.ts";

const openly =
  (onStep = async () => {}) =>
  async (name: string, { organization, actor, operator, key, ...fields }: Record<string, unknown>) => {
    await onStep();
    const requestId = crypto.randomUUID();
    const called = { name, fields, organization, actor, operator, key, requestId, isOperator: true };
    const result = await runOperation(called, servicesOf(env), () => {});
    return (
      result instanceof Refusal
        ? { ok: false, message: result.text, hint: result.hint }
        : { ok: true, result: JSON.parse(JSON.stringify(result)) }
    ) as AdminOutcome;
  };

async function exported({ organizationId }: FilledWorkspace): Promise<string> {
  const folder = new ExportFolder(`/tmp/${crypto.randomUUID()}`);
  const connection = { run: openly(), close: async () => {} };
  const asked = { organization: organizationId, complete: "true" };
  const outcome = await runSteps(connection, "export-organization", asked, folder);
  expect(outcome).toMatchObject({ ok: true });
  return folder.path;
}

async function erase({ organizationId }: FilledWorkspace): Promise<void> {
  const asked = { organization: organizationId, confirm: organizationId };
  for (let position: string | undefined | null; position !== null; ) {
    const outcome = await callAdmin("erase-organization", { ...asked, ...(position && { position }) });
    if (!outcome.ok) throw new Error(outcome.message);
    position = (outcome.result as { next: string | null }).next;
  }
}

const bringBack = (from: string, run = openly(), more = {}) => importFolder(run, { from, ...more }, () => {});

/** Rows in no particular order, without the numbers that each database assigns. */
const withoutNumbers = (rows: Awaited<ReturnType<typeof everyRowOf>>) =>
  Object.fromEntries(
    [...rows].map(([table, all]) => [
      table,
      all.map(({ sequence: _, ...row }) => JSON.stringify(row)).sort(),
    ]),
  );

const eventsOf = async ({ organizationId }: FilledWorkspace) =>
  (
    await sql<{ id: string }>(
      "SELECT id FROM events WHERE organization_id = ? ORDER BY sequence",
      organizationId,
    )
  ).map(({ id }) => id);

const imagePath = ({ organizationId }: FilledWorkspace) =>
  `organizations/${organizationId}/deliverables/x/0.png`;

async function makeImage(here: FilledWorkspace): Promise<void> {
  await env.IMAGES.put(imagePath(here), new Uint8Array(1024 * 1024 + 3).fill(7), {
    httpMetadata: { contentType: "image/png" },
  });
}

it("an import runs once per key and replays its result [O19]", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const here = await makeFilledWorkspace();
  const from = await exported(here);
  await erase(here);
  const asked = { key: here.organizationId };
  const first = await bringBack(from, openly(), asked);
  expect(first).toMatchObject({ ok: true, result: { id: here.organizationId } });
  const again = await bringBack(from, openly(), asked);
  expect(again).toEqual({ ok: true, result: { ...(first.ok && first.result), idempotent_replay: true } });
  expect(await bringBack(from, openly(), { ...asked, as: "another" })).toMatchObject({
    ok: false,
  });
  vi.restoreAllMocks();
});

const change = async (path: string, of: (text: string) => string) =>
  writeFile(path, of(await readFile(path, "utf8")));

describe("importing a complete export", () => {
  it("restores every row and image without side effects [B3]", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    const here = await makeWholeWorkspace();
    await makeImage(here);
    await sql(
      `INSERT INTO clients (id, organization_id, company_name)
        SELECT lower(hex(randomblob(16))), ?, 'Client ' || value
        FROM json_each('[0' || replace(hex(zeroblob(249)), '00', ',0') || ']')`,
      here.organizationId,
    );
    const token = await insertToken(here);
    const create = () => post({ token }, "/api-v1/clients", { client_name: "Nora" }, "key-of-nora");
    const first = await (await create()).json<{ id: string }>();
    const read = async (query: string) =>
      (await call({ token }, `/api-v1/events?${query}`)).json<{
        data: { id: string }[];
        latest_cursor: string;
      }>();
    await (await makeWholeWorkspace()).openInvoice(100);
    const [third, newest] = [await read("limit=3"), await read("limit=200")];
    const from = await exported(here);
    const [rows, events] = [withoutNumbers(await everyRowOf(here)), await eventsOf(here)];
    await erase(here);
    const leaves = countSideEffects();
    const outcome = await bringBack(from);
    expect(outcome).toMatchObject({ ok: true, result: { id: here.organizationId, images: 1 } });
    // Only the image leaves the Worker.
    expect(leaves()).toBeLessThanOrEqual(2);
    vi.restoreAllMocks();
    expect(withoutNumbers(await everyRowOf(here))).toEqual(rows);
    expect(await eventsOf(here)).toEqual(events);
    const image = await env.IMAGES.get(imagePath(here));
    expect([image?.size, image?.httpMetadata?.contentType]).toEqual([1024 * 1024 + 3, "image/png"]);
    expect(await sql("SELECT * FROM imports")).toEqual([]);

    // The workspace works again: keys replay, saved cursors continue and triggers fire.
    expect(await (await create()).json()).toMatchObject({ id: first.id, idempotent_replay: true });
    await here.openInvoice(100);
    const [made = "", ...others] = (await eventsOf(here)).slice(events.length);
    expect(others).toEqual([]);
    const idsAfter = async ({ latest_cursor }: { latest_cursor: string }) =>
      (await read(`cursor=${latest_cursor}&limit=200`)).data.map(({ id }) => id);
    expect(await idsAfter(third)).toEqual([...newest.data.slice(3).map(({ id }) => id), made]);
    expect(await idsAfter(newest)).toEqual([made]);
    const marks = await env.IMAGES.list({ prefix: `erasures/${here.organizationId}/` });
    expect(marks.objects).toEqual([]);
  });

  it("leaves another workspace's feed unchanged, because imported events get new numbers [B3]", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    const [here, other] = [await makeWholeWorkspace(), await makeWholeWorkspace()];
    const token = await insertToken(other);
    const read = async (query: string) =>
      (await call({ token }, `/api-v1/events?${query}`)).json<{
        data: { id: string; created_at: string }[];
        latest_cursor: string;
      }>();
    await here.openInvoice(100);
    const { latest_cursor } = await read("limit=200");
    await other.openInvoice(100);
    const expected = (await read(`cursor=${latest_cursor}`)).data;
    expect(expected.length).toBeGreaterThan(0);
    const since = expected[0]?.created_at;
    const from = await exported(here);
    await erase(here);
    await bringBack(from);
    expect((await read(`cursor=${latest_cursor}`)).data).toEqual(expected);
    expect((await read(`updated_since=${since}`)).data).toEqual(expected);
  });

  it("keeps a revoked token revoked and never assigns an invoice number twice [B3]", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    const here = await makeWholeWorkspace();
    const kept = { tokenEnds: { [crypto.randomUUID()]: "2026-01-31T09:30:00.000Z" }, invoiceNumber: 900 };
    await coordinatorStub(here).keepFacts(kept);
    const from = await exported(here);
    await erase(here);
    await bringBack(from);
    expect(await coordinatorStub(here).keptFacts()).toEqual(kept);
  });

  it("restores the request log, the usage, the tokens' last uses and the erasure markers [B3]", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    const here = await makeWholeWorkspace();
    await here.openInvoice(100);
    const [token] = await sql<{ id: string }>(
      "SELECT id FROM api_tokens WHERE organization_id = ?",
      here.organizationId,
    );
    const made = await sql<{ id: string; sequence: number; created_at: string }>(
      "SELECT id, sequence, created_at FROM events WHERE organization_id = ? ORDER BY sequence DESC LIMIT 2",
      here.organizationId,
    );
    const [newest, before] = made;
    const token_id = String(token?.id);
    const request = loggedRequest({
      token_id,
      at: String(newest?.created_at),
      events: [{ behind: Number(before?.sequence), upTo: Number(newest?.sequence) }],
    });
    const coordinator = coordinatorStub(here);
    await coordinator.logRequests([request, loggedRequest({ token_id, at: request.at, status: 429 })]);
    await coordinator.countDeliveries(3);
    await coordinator.count(60, token_id);
    await markErasure(env.IMAGES, { organizationId: here.organizationId, clientId: "erased" });
    const kept = async () => [
      (await coordinator.findRequests({ limit: 10 })).map(({ events: _, ...shown }) => shown),
      await coordinator.usageSince(""),
      await coordinator.lastUses(),
      await admin(here, "show-request", { request_id: request.request_id }),
    ];
    const asItWas = await kept();
    expect(asItWas[3]).toMatchObject({ events: [{ id: newest?.id }] });
    const from = await exported(here);
    await erase(here);
    await env.IMAGES.delete(`erasures/${here.organizationId}/erased`);
    expect(await bringBack(from)).toMatchObject({ ok: true, result: { erased_clients: [] } });
    expect(await kept()).toEqual(asItWas);
    expect(await erasedClients(env.IMAGES, here.organizationId)).toEqual(["erased"]);
    await change(`${from}/coordinator.jsonl`, (text) => text.replace('"status":429', '"status":200'));
    await erase(here);
    const spoilt = await bringBack(from);
    expect(spoilt.ok ? "imported" : spoilt.message).toBe(
      "This copy is incomplete: coordinator.jsonl was changed (its digest differs)",
    );
    vi.restoreAllMocks();
  });

  it("continues where it was interrupted without duplicating rows [B3]", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    const here = await makeWholeWorkspace();
    const from = await exported(here);
    const rows = withoutNumbers(await everyRowOf(here));
    await erase(here);
    let isDone = false;
    let attempts = 0;
    for (; !isDone && attempts < 60; attempts += 1) {
      let steps = 0;
      const cut = openly(async () => {
        steps += 1;
        if (steps > 2 + attempts) throw new Error("cut off");
      });
      isDone = await bringBack(from, cut).then(
        ({ ok }) => ok,
        () => false,
      );
    }
    expect([isDone, attempts]).toEqual([true, expect.any(Number)]);
    expect(attempts).toBeGreaterThan(5);
    expect(withoutNumbers(await everyRowOf(here))).toEqual(rows);
  });

  it("hides the workspace and rejects writes until the import is complete [X6]", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    const [here, other] = [await makeWholeWorkspace(), await makeWholeWorkspace()];
    const [token, otherToken] = [await insertToken(here), await insertToken(other)];
    const path = `/review/${newSecret().slice(0, 32)}`;
    await here.deliverable({ share_url: `https://app.example.com${path}` });
    const owner = `owner@${here.organizationId}.example`;
    const from = await exported(here);
    const rows = withoutNumbers(await everyRowOf(here));
    await erase(here);
    const statuses = async () => [
      (await call({ token }, "/api-v1/clients")).status,
      (await post({ token }, "/api-v1/clients", { client_name: "Nora" })).status,
      (await new SettingsBrowser().fetch(path)).status,
      (await (await signedIn(owner)).rpc("list_api_tokens")).status,
    ];
    let looked = 0;
    const looking = openly(async () => {
      const tokens = await sql("SELECT 1 FROM api_tokens WHERE organization_id = ?", here.organizationId);
      if (tokens.length === 0) return;
      looked += 1;
      if (looked % 8 !== 1) return;
      expect(await statuses()).toEqual([503, 503, 404, 401]);
      const { status } = await post({ token: otherToken }, "/api-v1/clients", { client_name: "Nora" });
      expect(status).toBe(201);
      await expect(here.client()).rejects.toThrow("organization_is_moving");
      await sql("DELETE FROM members WHERE organization_id = ?", here.organizationId);
      await makeInvoicesOverdue(env.DB);
      await purgeEvents(env.DB);
    });
    expect(await bringBack(from, looking)).toMatchObject({ ok: true });
    expect(looked).toBeGreaterThan(8);
    expect(withoutNumbers(await everyRowOf(here))).toEqual(rows);
    expect(await statuses()).toEqual([200, 201, 200, 200]);
    expect(await sql("SELECT * FROM fences")).toEqual([]);
    vi.restoreAllMocks();
  });

  it("restores the workspace under another slug if requested [B3]", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    const here = await makeWholeWorkspace();
    const from = await exported(here);
    await erase(here);
    const slug = `back-${crypto.randomUUID().slice(0, 8)}`;
    expect(await bringBack(from, undefined, { as: slug })).toMatchObject({
      ok: true,
      result: { organization: slug },
    });
  });

  it("fails and names the tables that differ from the export", async () => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    const here = await makeWholeWorkspace();
    const from = await exported(here);
    await erase(here);
    const run = openly();
    const spoiling = async (name: string, fields: Record<string, unknown>) => {
      if (String(fields.position).startsWith('["compare"'))
        await env.DB.batch(
          [
            ["DELETE FROM fences WHERE id = ?", here.organizationId],
            ["UPDATE clients SET company_name = 'Spoilt' WHERE id = ?", here.clientId],
            ["INSERT INTO fences (id, hides) VALUES (?, 1)", here.organizationId],
          ].map(([text = "", id]) => env.DB.prepare(text).bind(id)),
        );
      return run(name, fields);
    };
    expect(await bringBack(from, spoiling)).toMatchObject({
      ok: false,
      message: "The imported data differs from the copy in clients",
    });
    await erase(here);
    expect(await sql("SELECT * FROM imports")).toEqual([]);
  });
});

describe("import-organization", () => {
  const attempt = async (spoil: (from: string) => Promise<void>) => {
    vi.spyOn(console, "log").mockImplementation(() => {});
    const here = await makeWholeWorkspace();
    await makeImage(here);
    const from = await exported(here);
    await erase(here);
    await spoil(from);
    const outcome = await bringBack(from);
    expect(await sql("SELECT 1 FROM organizations WHERE id = ?", here.organizationId)).toEqual([]);
    expect(await sql("SELECT 1 FROM imports")).toEqual([]);
    return outcome.ok ? "imported" : outcome.message;
  };
  it("rejects a changed file before it writes anything [B3]", async () => {
    const message = await attempt((from) =>
      change(`${from}/clients.jsonl`, (text) => text.replace('"status":"active"', '"status":"archived"')),
    );
    expect(message).toBe("This copy is incomplete: clients.jsonl was changed (its digest differs)");
  });

  it("rejects a truncated file [B3]", async () => {
    const message = await attempt((from) =>
      change(`${from}/audit_log.jsonl`, (text) => text.split("\n").slice(1).join("\n")),
    );
    expect(message).toMatch(/^This copy is incomplete: audit_log.jsonl has \d+ rows, not \d+$/);
    const ofManifest = await attempt((from) =>
      change(`${from}/manifest.jsonl`, (text) => text.trimEnd().split("\n").slice(0, -1).join("\n")),
    );
    expect(ofManifest).toBe("This copy is incomplete: manifest.jsonl is truncated");
    const torn = await attempt((from) => appendFile(`${from}/clients.jsonl`, '{"id":'));
    expect(torn).toBe("This copy is incomplete: a line of clients.jsonl cannot be read");
  });

  it("rejects a changed image [B3]", async () => {
    const message = await attempt(async (from) => {
      const { id } = JSON.parse(String((await readFile(`${from}/manifest.jsonl`, "utf8")).split("\n")[0]));
      await writeFile(`${from}/images/organizations/${id}/deliverables/x/0.png`, "x");
    });
    expect(message).toMatch(/^This copy is incomplete: the image .* has a different size$/);
  });

  it("rejects an export from another schema version [B3]", async () => {
    const message = await attempt((from) =>
      change(`${from}/manifest.jsonl`, (text) => text.replace(/"schema":"[^"]*"/, '"schema":"0123"')),
    );
    expect(message).toMatch(/^This copy has a different schema version: 0123, not [0-9a-f]{16}$/);
  });

  it("rejects an organization with an existing id or slug [B3]", async () => {
    const [here, other] = [await makeWholeWorkspace(), await makeWholeWorkspace()];
    const from = await exported(here);
    const before = await everyRowOf(here);
    const refusedAs = async (more: object) => {
      const outcome = await bringBack(from, undefined, more);
      return outcome.ok ? "imported" : outcome.message;
    };
    const exists = `The organization ${here.organizationId} already exists`;
    expect(await refusedAs({})).toBe(exists);
    expect(await refusedAs({ as: "elsewhere" })).toBe(exists);
    expect(await everyRowOf(here)).toEqual(before);
    await erase(here);
    await update("organizations", other.organizationId, { slug: "studio-nord" });
    expect(await refusedAs({ as: "studio-nord" })).toBe(
      "Another organization already has the slug studio-nord",
    );
  });

  it("rejects an export whose link prefix belongs to another workspace [X5]", async () => {
    const here = await makeWholeWorkspace();
    const from = await exported(here);
    const [{ link_prefix } = { link_prefix: "" }] = await sql<{ link_prefix: string }>(
      "SELECT link_prefix FROM organizations WHERE id = ?",
      here.organizationId,
    );
    await erase(here);
    const other = [crypto.randomUUID(), crypto.randomUUID().slice(0, 8), "Other", "agency", link_prefix];
    await sql(
      "INSERT INTO organizations (id, slug, name, plan, link_prefix) VALUES (?, ?, ?, ?, ?)",
      ...other,
    );
    const outcome = await bringBack(from);
    expect(outcome.ok ? "imported" : outcome.message).toBe(
      `Another organization's links already begin with ${link_prefix}`,
    );
    expect(await sql("SELECT 1 FROM imports")).toEqual([]);
  });
});

it("every INSERT trigger skips rows of a workspace that is being imported", async () => {
  const triggers = await sql<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql GLOB '*(BEFORE|AFTER) INSERT*'
      OR type = 'trigger' AND (sql GLOB '* BEFORE INSERT ON *' OR sql GLOB '* AFTER INSERT ON *')`,
  );
  expect(triggers.length).toBeGreaterThan(40);
  const mark = "NOT EXISTS (SELECT 1 FROM imports WHERE id = NEW.organization_id)";
  const others = triggers.filter(({ name }) => !name.endsWith("_fenced"));
  expect(others.filter((each) => !each.sql.includes(mark)).map(({ name }) => name)).toEqual([
    "organizations_prefixed",
    "sign_in_links_mailed",
    "mail_events_closed_sets",
    "mail_events_match",
    "organizations_to_directory",
  ]);
  const here = await makeWholeWorkspace();
  const before = await eventsOf(here);
  await sql("INSERT INTO imports (id, slug, manifest) VALUES ('another', 'another', '{}')");
  await here.openInvoice(100);
  expect(await eventsOf(here)).toHaveLength(before.length + 1);
  await sql("DELETE FROM imports");
});
