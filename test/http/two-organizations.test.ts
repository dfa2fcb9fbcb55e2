import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Route } from "../../src/http/route.ts";
import type { AdminOperation } from "../../src/operations/operation.ts";
import { operations } from "../../src/operations/operations.ts";
import { callAdmin } from "../support/admin.ts";
import { advanceClock, startClock, stopClock } from "../support/clock.ts";
import { fieldsWith, idFieldsOf, unmatchedEvent } from "../support/operation-fields.ts";
import { call } from "../support/partner.ts";
import { makeRecords, type Records } from "../support/records.ts";
import { namedRoutes, validRequest } from "../support/requests.ts";
import { signedIn } from "../support/settings.ts";
import { everyRowOf, idsIn, makeWholeWorkspace, unmatchedEventOf } from "../support/whole-workspace.ts";
import { insertToken, makePlan } from "../support/workspace.ts";

/** Calls every operation and route with the id of each row in another workspace. */

const made = async () => {
  const workspace = await makeWholeWorkspace({ plan: await makePlan(1_000_000) });
  const token = await insertToken(workspace);
  const asked = await call({ token }, "/api-v1/token");
  const ids = [...idsIn(await everyRowOf(workspace)), asked.headers.get("x-request-id") ?? ""];
  const browser = await signedIn(`owner@${workspace.organizationId}.example`);
  return { ...workspace, ids, browser, token };
};

let workspaces: Awaited<ReturnType<typeof made>>[];
/** Every row in the other workspace. No test may change them. */
let before: Awaited<ReturnType<typeof everyRowOf>>;
beforeAll(async () => {
  // The clock must not move back: a window that began in the future would count every call until its end.
  stopClock(new Date().toISOString());
  workspaces = [await made(), await made(), await made(), await made()];
  before = await everyRowOf(standing().there);
});
afterAll(startClock);
const standing = () => {
  const [here, there, own, caller] = workspaces;
  if (!here || !there || !own || !caller) throw new Error("the workspaces are not made yet");
  return { here, there, own, caller };
};

type Outcome = { ok: true; result: object } | { ok: false; message: string; hint: unknown };
type Made = Awaited<ReturnType<typeof made>>;

/** Runs an operation over RPC, or on the command line if only operators may run it. */
async function run(name: string, { organizationId, browser }: Made, asked: object): Promise<Outcome> {
  if ("confirm" in asked) asked = { confirm: organizationId };
  const isOfMoney = "id" in asked && asked.id === unmatchedEvent;
  const fields = isOfMoney ? { ...asked, id: unmatchedEventOf(organizationId) } : asked;
  if (operations[name]?.allowed === "operator") {
    return callAdmin(name, { organization: organizationId, ...fields });
  }
  // A workspace may make 240 calls a minute.
  advanceClock(1);
  const { status, body } = await browser.rpc(name.replaceAll("-", "_"), fields);
  if (status === 200) return { ok: true, result: body };
  return { ok: false, message: String(body.message), hint: body.hint };
}

it("both workspaces have a row in every table with organization data", () => {
  expect([...before].flatMap(([table, { length }]) => (length > 0 ? [] : [table]))).toEqual([]);
});

/** Finds fields with which an operation would succeed in `here`, by trying them in a similar workspace. */
async function fieldsThatGoThrough(name: string, operation: AdminOperation, here: Made) {
  const refusals = new Set<string>();
  for (const takeOwn of erases(name) ? [made] : [() => standing().own, made]) {
    const own = await takeOwn();
    for (const fields of fieldsWith(operation, own.ids)) {
      const outcome = await run(name, own, fields);
      if (!outcome.ok) refusals.add(outcome.message);
      // Both workspaces were created in the same order, so ids at the same index correspond.
      else return placed(fields, own, here);
    }
  }
  return expect.fail([...refusals].join("\n"));
}

const erases = (name: string) => name.startsWith("erase-");
const placed = (fields: object, from: Made, to: Made): Record<string, unknown> =>
  JSON.parse(JSON.stringify(fields), (_, value) => to.ids[from.ids.indexOf(value)] ?? value);

/** Operations on all workspaces, which are tested separately. */
const ofAll = [
  ...["after-restore", "import-organization", "export-backup"],
  ...["list-backup-files", "read-backup-file", "restore-image"],
];
const ofOne = Object.entries(operations).filter(([name]) => !ofAll.includes(name));

describe.each(ofOne)("%s", (name, operation) => {
  it("neither changes nor shows another workspace's rows, whichever of their ids it gets [N1]", async () => {
    const { there } = standing();
    const here = erases(name) ? await made() : standing().here;
    const own = await fieldsThatGoThrough(name, operation, here);
    const nobodys = crypto.randomUUID();
    for (const field of idFieldsOf(operation)) {
      const expected = JSON.stringify(await run(name, here, { ...own, [field]: nobodys }));
      for (const id of there.ids) {
        const answer = JSON.stringify(await run(name, here, { ...own, [field]: id }));
        expect(answer).toBe(expected.replaceAll(nobodys, id));
      }
    }
    if (idFieldsOf(operation).length === 0 && operation.kind === "workspace") {
      const answer = JSON.stringify(await run(name, here, own));
      expect(there.ids.filter((id) => answer.includes(id))).toEqual([]);
    }
    expect(await everyRowOf(there)).toEqual(before);
  });

  it.runIf(operation.kind === "workspace")("rejects another workspace's admin", async () => {
    const { here, there } = standing();
    const actor = `owner@${there.organizationId}.example`;
    const [fields] = fieldsWith(operation, here.ids);
    expect(await callAdmin(name, { organization: here.organizationId, ...fields, actor })).toMatchObject({
      message: expect.stringMatching(/^Only organization admins can /),
    });
  });
});

/** Yields a valid request with each of `ids` in the path, in each filter and in each reference in the body. */
function* requestsWith(route: Route, own: Records, ids: readonly string[]) {
  const { path, body } = validRequest(route, own);
  const [record, text] = [route.path.includes("{id}"), JSON.stringify(body ?? null)];
  const references = [...text.matchAll(/"\w+_id":"([0-9a-f-]{36})"/g)];
  const filters = Object.keys(route.query?.shape ?? {}).filter((name) => name.endsWith("_id"));
  if (!record && references.length === 0) yield { path, body };
  for (const id of ids) {
    if (record) yield { path: path.replace(/[0-9a-f-]{36}/, id), body };
    for (const filter of filters) yield { path: `${path}?${filter}=${id}`, body };
    for (const { 0: found, 1: old = "", index } of references) {
      const changed = text.slice(0, index) + found.replace(old, id) + text.slice(index + found.length);
      yield { path, body: JSON.parse(changed) };
    }
  }
}

describe.each(namedRoutes)("$name", ({ route }) => {
  it("treats every id of another workspace as unknown [N1]", async () => {
    const { caller, there } = standing();
    // A token may read the ids in its own requests, so each route gets a new token.
    const here = { ...caller, token: await insertToken(caller) };
    const method = route.method.toUpperCase();
    const ask = async ({ path, body }: { path: string; body?: unknown }) => {
      const answer = await call(here, path, { method, body, key: crypto.randomUUID() });
      return { status: answer.status, text: await answer.text() };
    };
    const nobodys = crypto.randomUUID();
    const asNobodys = new Map<string, Awaited<ReturnType<typeof ask>>>();
    for (const { path, body } of requestsWith(route, await makeRecords(here), there.ids)) {
      const answer = await ask({ path, body });
      expect(there.ids.filter((id) => answer.text.includes(id))).toEqual([]);
      const given = there.ids.find((id) => (path.split("?")[0] + JSON.stringify(body)).includes(id));
      expect(given ? [400, 404] : [200, 201]).toContain(answer.status);
      if (!given) continue;
      const asked = JSON.stringify({ path, body }).replaceAll(given, nobodys);
      const expected = asNobodys.get(asked) ?? (await ask(JSON.parse(asked)));
      asNobodys.set(asked, expected);
      expect(answer).toEqual(expected);
    }
    expect(await everyRowOf(there)).toEqual(before);
  });
});
