import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { claimLimits, limits } from "../../src/contract/limits.ts";
import { purgeLedger } from "../../src/core/ledger/purge-ledger.ts";
import { ageForms } from "../support/forms.ts";
import { call, post } from "../support/partner.ts";
import { makeReview } from "../support/reviewer.ts";
import { ownerAtHome } from "../support/settings.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

const daySeconds = 86_400;

const linesOf = async ({ organizationId }: Pick<Workspace, "organizationId">) =>
  (
    await env.DB.prepare(
      "SELECT key, answer, secret_encrypted FROM requests WHERE organization_id = ? ORDER BY key",
    )
      .bind(organizationId)
      .all<Record<"key" | "answer" | "secret_encrypted", string | null>>()
  ).results;

const create = (workspace: Workspace) => post(workspace, "/api-v1/clients", { client_name: "Ada" }, "key");

describe("the first response", () => {
  it("is stored for 30 days, after which a replay reads the record [I10]", async () => {
    const workspace = await makeWorkspace();
    const { id } = await (await create(workspace)).json<{ id: string }>();
    await ageForms(workspace, claimLimits.answerDays * daySeconds - 60);
    await purgeLedger(env.DB);
    expect(await linesOf(workspace)).toMatchObject([{ key: "key:key", answer: expect.any(String) }]);
    await ageForms(workspace, 61);
    await purgeLedger(env.DB);
    expect(await linesOf(workspace)).toMatchObject([{ key: "key:key", answer: null }]);
    const replay = await create(workspace);
    expect([replay.status, await replay.json()]).toEqual([
      200,
      expect.objectContaining({ id, idempotent_replay: true }),
    ]);
  });

  it("is dropped after 30 days if the request had no key, but the ledger entry stays", async () => {
    const { studio } = await makeReview();
    const body = { title: "Logo", client_id: studio.clientId, embed_url: "https://example.com/" };
    expect((await call(studio, "/api-create-deliverable", { body })).status).toBe(201);
    await ageForms(studio, claimLimits.answerDays * daySeconds + 1);
    await purgeLedger(env.DB);
    const entries = await linesOf(studio);
    expect(entries.filter(({ key }) => key?.startsWith("request:"))).toMatchObject([{ answer: null }]);
  });
});

describe("a form's ledger entry", () => {
  it("loses its secret after a minute and is deleted after 30 days", async () => {
    const { here, browser, base } = await ownerAtHome();
    const form = { form_id: crypto.randomUUID(), name: "Zapier", scopes: "client:read" };
    expect((await browser.post(`${base}/tokens`, form)).status).toBe(200);
    await purgeLedger(env.DB);
    const [entry] = await linesOf(here);
    expect(entry?.secret_encrypted).toMatch(/^v2\./);
    await ageForms(here, limits.doubleSubmitSeconds + 1);
    await purgeLedger(env.DB);
    expect(await linesOf(here)).toMatchObject([
      { secret_encrypted: null, answer: expect.stringContaining('"token":null') },
    ]);
    await ageForms(here, claimLimits.answerDays * daySeconds);
    await purgeLedger(env.DB);
    expect(await linesOf(here)).toEqual([]);
  });

  it("is deleted after 30 days if the form is from a review", async () => {
    const { studio, visitor } = await makeReview();
    await visitor.comment("Hello");
    await ageForms(studio, claimLimits.answerDays * daySeconds + 1);
    await purgeLedger(env.DB);
    expect((await linesOf(studio)).filter(({ key }) => key?.startsWith("review:"))).toEqual([]);
  });
});

describe("a ledger entry", () => {
  it.each([
    "UPDATE requests SET subject_id = 'other' WHERE organization_id = ?",
    "UPDATE requests SET actor = 'other' WHERE organization_id = ?",
    "UPDATE requests SET created_at = '2020-01-01T00:00:00.000Z' WHERE organization_id = ?",
    "DELETE FROM requests WHERE organization_id = ?",
    `INSERT OR REPLACE INTO requests (organization_id, key, fingerprint, request_id, actor, action, subject_id)
     VALUES (?, 'key:key', 'x', 'x', 'x', 'x', 'x')`,
  ])("cannot be changed or removed with plain SQL: %s", async (sql) => {
    const workspace = await makeWorkspace();
    await create(workspace);
    const before = await linesOf(workspace);
    await expect(env.DB.prepare(sql).bind(workspace.organizationId).run()).rejects.toThrow(
      "SQLITE_CONSTRAINT",
    );
    expect(await linesOf(workspace)).toEqual(before);
  });
});
