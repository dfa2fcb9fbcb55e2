import { describe, expect, it } from "vitest";
import type { AdminOperation } from "../../src/operations/operation.ts";
import { operations } from "../../src/operations/operations.ts";
import { actionNames } from "../../src/pages/settings/actions.ts";
import { callAdmin } from "../support/admin.ts";
import { changesBetween, Labels } from "../support/changes.ts";
import { type FilledWorkspace, sql } from "../support/filled-workspace.ts";
import { fieldsWith, unmatchedEvent } from "../support/operation-fields.ts";
import { call } from "../support/partner.ts";
import { makeRecords } from "../support/records.ts";
import { validRequest, writeRoutes } from "../support/requests.ts";
import { everyRowOf, idsIn, makeWholeWorkspace, unmatchedEventOf } from "../support/whole-workspace.ts";
import { insertToken } from "../support/workspace.ts";

/**
 * Compares the result and every changed row of each operation and API write with the approved files in `changes/`. Each
 * operation runs once with all fields and once with only the required ones. After a change, run `npx vitest run
 * test/admin/changes.test.ts -u` and review the diff.
 */

type Rows = Awaited<ReturnType<typeof everyRowOf>>;

/**
 * Creates a workspace with an up-to-date coordinator. Later changes are reported to the coordinator in the background.
 */
async function made(): Promise<FilledWorkspace> {
  const here = await makeWholeWorkspace();
  await sql("DELETE FROM unsent_facts WHERE organization_id = ?", here.organizationId);
  return here;
}

async function rowsOf(here: FilledWorkspace): Promise<Rows> {
  const rows = await everyRowOf(here);
  rows.delete("unsent_facts");
  return rows;
}

const approved = new Set<string>();
/** The actions for which the settings' activity page has a sentence. */
const named = new Set(actionNames.map(([action]) => action));

async function approve(name: string, here: FilledWorkspace, before: Rows, told: readonly unknown[]) {
  const changes = changesBetween(before, await rowsOf(here));
  const actions = changes.flatMap((row) => /^\+ audit_log\n.* action: "(.+?)"$/ms.exec(row)?.[1] ?? []);
  expect(actions.filter((action) => !named.has(action))).toEqual([]);
  const file = `./changes/${name}.txt`;
  approved.add(file);
  await expect(new Labels(before).textOf([...told, ...changes])).toMatchFileSnapshot(file);
  return changes;
}

const run = (name: string, { organizationId }: FilledWorkspace, asked: Record<string, unknown>) =>
  callAdmin(name, {
    organization: organizationId,
    ...("confirm" in asked ? { confirm: organizationId } : asked),
    ...(asked.id === unmatchedEvent && { id: unmatchedEventOf(organizationId) }),
  });

/**
 * Tries fields until an operation succeeds, and returns its result, or all errors if none succeed. A rejected call
 * changes nothing.
 */
async function goThrough(name: string, operation: AdminOperation, here: FilledWorkspace, optional: boolean) {
  const { shape } = operation.input;
  const isAsked = (field: string) => optional || !shape[field]?.safeParse(undefined).success;
  const refusals = new Set<string>();
  for (const all of fieldsWith(operation, idsIn(await everyRowOf(here)))) {
    const fields = Object.fromEntries(Object.entries(all).filter(([field]) => isAsked(field)));
    const outcome = await run(name, here, fields);
    if (outcome.ok) return { fields, answer: outcome.result };
    const { message, hint } = outcome;
    refusals.add([message, hint].join("; ").replaceAll(/[0-9a-f-]{36}/g, "[an id]"));
  }
  return { fields: "refused", answer: [...refusals].sort() };
}

const ofWorkspaces = Object.entries(operations).filter(([, { kind }]) => kind === "workspace");

describe.each(ofWorkspaces)("%s", (name, operation) => {
  const takesMore = Object.values(operation.input.shape).some((field) => field.safeParse(undefined).success);
  const all: [file: string, optional: boolean] = [name, true];

  it.each(takesMore ? [all, [`${name}-bare`, false] as const] : [all])(
    "%s returns the approved result and makes the approved changes [O4]",
    async (file, optional) => {
      const here = await made();
      const before = await rowsOf(here);
      const { fields, answer } = await goThrough(name, operation, here, optional);
      const changes = await approve(file, here, before, [name, fields, answer]);
      if (operation.reads) expect(changes).toEqual([]);
    },
  );
});

it.each(writeRoutes)(
  "$name returns the approved result and makes the approved changes",
  async ({ name, route }) => {
    const here = await made();
    const token = await insertToken(here);
    const { path, body } = validRequest(route, await makeRecords(here));
    const before = await rowsOf(here);
    const answer = await call({ ...here, token }, path, { method: "POST", body, key: crypto.randomUUID() });
    const file = name.replace("POST /", "").replaceAll(/\W+/g, "-").replace(/-$/, "");
    await approve(file, here, before, [`POST ${path}`, body, answer.status, await answer.json()]);
  },
);

it("every approved file has a test", () => {
  const files = Object.keys(import.meta.glob("./changes/*.txt"));
  expect(files.filter((file) => !approved.has(file))).toEqual([]);
});
