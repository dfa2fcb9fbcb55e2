import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { servicesOf } from "../../src/services.ts";
import { warnOfExpiringTokens } from "../../src/workspace/tokens/warn-of-expiry.ts";
import { admin, refusal } from "../support/admin.ts";
import { watchMails } from "../support/mails.ts";
import { metered } from "../support/metered.ts";
import { call, post } from "../support/partner.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

interface Minted {
  id: string;
  token: string;
  name: string;
  scopes: string[];
  created_at: string;
  expires_at: string | null;
}

const dayMs = 86_400_000;

const create = (workspace: Workspace, fields: Record<string, string> = {}) =>
  admin<Minted>(workspace, "create-api-token", {
    name: "Timer",
    scopes: "client:read,client:write",
    ...fields,
  });

/** Moves a token's expiry to this many days from now; negative for the past. */
const expireIn = (id: string, days: number) =>
  env.DB.prepare("UPDATE api_tokens SET expires_at = ? WHERE id = ?")
    .bind(new Date(Date.now() + days * dayMs).toISOString(), id)
    .run();

async function insertTokens({ organizationId, ownerId }: Workspace, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => crypto.randomUUID());
  await env.DB.prepare(
    `INSERT INTO api_tokens (id, organization_id, name, token_hash, token_prefix, scopes, created_by)
     SELECT value, ?1, 'x', value, 'svc_', '[]', ?2 FROM json_each(?3)`,
  )
    .bind(organizationId, ownerId, JSON.stringify(ids))
    .run();
  return ids;
}

const statusOf = async ({ token }: Pick<Minted, "token">) =>
  (await call({ token }, "/api-v1/clients")).status;

const daysOf = ({ created_at, expires_at }: Minted) =>
  (Date.parse(expires_at ?? "") - Date.parse(created_at)) / dayMs;

describe("a token that expires", () => {
  it("returns its expiry, after which it is rejected like a revoked token [A14, A17]", async () => {
    const workspace = await makeWorkspace();
    const created = await create(workspace, { expires_in_days: "30" });
    expect(daysOf(created)).toBe(30);
    expect(await (await call(created, "/api-v1/token")).json()).toMatchObject({
      expires_at: created.expires_at,
    });
    const [listed] = await admin<Minted[]>(workspace, "list-api-tokens");
    expect(listed?.expires_at).toBe(created.expires_at);
    const key = crypto.randomUUID();
    const ask = () => post(created, "/api-v1/clients", { client_name: "Mara" }, key);
    expect((await ask()).status).toBe(201);
    await expireIn(created.id, -0.001);
    const answers = [
      await call(created, "/api-v1/clients"),
      await ask(),
      await call(created, "/api-v1/token"),
    ];
    for (const answer of answers) {
      expect([answer.status, await answer.json()]).toEqual([401, { error: "Invalid or missing API token" }]);
    }
  });

  it("is created with expires_in_days [A17]", async () => {
    const workspace = await makeWorkspace();
    const created = await create(workspace);
    expect(created.expires_at).toBeNull();
    expect(await (await call(created, "/api-v1/token")).json()).toMatchObject({ expires_at: null });
  });

  it.each([
    ["0", "at least 1"],
    ["3651", "at most 3650"],
    ["1.5", "an integer"],
    ["soon", "a number"],
  ])("rejects %s for expires_in_days [A17]", async (days, what) => {
    const workspace = await makeWorkspace();
    const { message } = await refusal(workspace, "create-api-token", { name: "x", expires_in_days: days });
    expect(message).toBe(`expires_in_days must be ${what}`);
  });

  it("does not count toward the token limit after it has expired [A17]", async () => {
    const workspace = await makeWorkspace();
    const ids = await insertTokens(workspace, 199);
    expect((await refusal(workspace, "create-api-token", { name: "x" })).message).toBe(
      "A workspace can have at most 200 active tokens",
    );
    await expireIn(String(ids[0]), -1);
    expect(await create(workspace)).toMatchObject({ name: "Timer" });
  });
});

describe("rolling a token", () => {
  it("creates a token with the same name and scopes, and both work during the overlap [A18]", async () => {
    const workspace = await makeWorkspace();
    const old = await create(workspace);
    const rolled = await admin<Minted>(workspace, "roll-api-token", { id: old.id });
    expect(rolled).toMatchObject({ name: "Timer", scopes: old.scopes, expires_at: null });
    expect(rolled.token).not.toBe(old.token);
    expect([await statusOf(old), await statusOf(rolled)]).toEqual([200, 200]);
    const [ending] = await admin<Minted[]>(workspace, "list-api-tokens", { id: old.id });
    expect((Date.parse(ending?.expires_at ?? "") - Date.now()) / dayMs).toBeCloseTo(1, 2);
    await expireIn(old.id, -0.001);
    expect([await statusOf(old), await statusOf(rolled)]).toEqual([401, 200]);
    const log = await admin<{ action: string; subject_id: string; details: object }[]>(
      workspace,
      "audit-log",
    );
    expect(log.slice(0, 2)).toMatchObject([
      { action: "token.created", subject_id: rolled.id, details: { name: "Timer", scopes: old.scopes } },
      {
        action: "token.rolled",
        subject_id: old.id,
        details: { name: "Timer", overlap_hours: 24, new_token_id: rolled.id },
      },
    ]);
  });

  it("ends the old token after the overlap, or at its own expiry if earlier [A18]", async () => {
    const workspace = await makeWorkspace();
    const now = await create(workspace);
    await admin(workspace, "roll-api-token", { id: now.id, overlap_hours: "0" });
    expect(await statusOf(now)).toBe(401);
    const soon = await create(workspace, { expires_in_days: "1" });
    await admin(workspace, "roll-api-token", { id: soon.id, overlap_hours: "48" });
    const [listed] = await admin<Minted[]>(workspace, "list-api-tokens", { id: soon.id });
    expect(listed?.expires_at).toBe(soon.expires_at);
  });

  it("keeps the original lifetime, even during an overlap [A18]", async () => {
    const workspace = await makeWorkspace();
    const old = await create(workspace, { expires_in_days: "90" });
    await admin(workspace, "roll-api-token", { id: old.id });
    expect(daysOf(await admin<Minted>(workspace, "roll-api-token", { id: old.id }))).toBe(90);
  });

  it("rejects expired tokens, revoked tokens and tokens from another workspace [A18]", async () => {
    const [mine, other] = [await makeWorkspace(), await makeWorkspace()];
    const [ended, revoked, theirs] = [await create(mine), await create(mine), await create(other)];
    await expireIn(ended.id, -1);
    await admin(mine, "revoke-api-token", { id: revoked.id });
    const roll = (id: string) => refusal(mine, "roll-api-token", { id });
    const hasEnded = { message: "This token was revoked or has expired", hint: "create a new token" };
    expect([await roll(ended.id), await roll(revoked.id)]).toEqual([hasEnded, hasEnded]);
    expect((await roll(theirs.id)).message).toBe(`There is no API token ${theirs.id} in this workspace`);
    expect(await admin(mine, "list-api-tokens")).toHaveLength(3);
    await admin(mine, "set-plan", { plan: "free" });
    expect((await roll(ended.id)).hint).toBe("upgrade_required:api_access");
  });
});

describe("warnings before a token expires", () => {
  const adam = "adam@example.com";

  /** Creates a token as an admin who is not the owner. */
  async function makeExpiring(days: string) {
    const workspace = await makeWorkspace();
    await env.DB.prepare("INSERT INTO members (id, organization_id, email, role) VALUES (?, ?, ?, 'admin')")
      .bind(crypto.randomUUID(), workspace.organizationId, adam)
      .run();
    const created = await create(workspace, { expires_in_days: days, actor: adam });
    return { workspace, created };
  }

  async function minute({ ownerEmail }: Workspace): Promise<string[]> {
    const mails = watchMails();
    await warnOfExpiringTokens(servicesOf(env));
    vi.restoreAllMocks();
    return mails.map(({ to }) => to).filter((to) => [ownerEmail, adam].includes(to));
  }

  it("go to the creator and the owner once 14 days and once 3 days before [A19]", async () => {
    const { workspace, created } = await makeExpiring("90");
    const { ownerEmail } = workspace;
    const sent: unknown[] = [];
    for (const days of [15, 13.9, 13.5, 3.1, 2.9, 1, -1]) {
      await expireIn(created.id, days);
      sent.push([days, await minute(workspace)]);
    }
    const both = [adam, ownerEmail];
    expect(sent).toEqual([
      [15, []],
      [13.9, both],
      [13.5, []],
      [3.1, []],
      [2.9, both],
      [1, []],
      [-1, []],
    ]);
  });

  it("are sent only once if the first one is sent in the last 3 days [A19]", async () => {
    const { workspace, created } = await makeExpiring("90");
    await expireIn(created.id, 2);
    expect(await minute(workspace)).toEqual([adam, workspace.ownerEmail]);
  });

  it("name the token and the expiry, with a link to roll it [A19]", async () => {
    const { workspace, created } = await makeExpiring("90");
    await expireIn(created.id, 2.5);
    const mails = watchMails();
    await warnOfExpiringTokens(servicesOf(env));
    const mail = mails.find(({ to }) => to === workspace.ownerEmail);
    expect(mail?.subject).toBe("The token Timer expires in 3 days");
    expect(mail?.text).toContain(`/tokens/${created.id}/roll`);
    expect(mail?.text).not.toContain(created.token);
  });

  it("are not sent for a lifetime of 14 or 3 days or less [A19]", async () => {
    const workspace = await makeWorkspace();
    const [own, short] = [
      await create(workspace, { expires_in_days: "90" }),
      await create(workspace, { expires_in_days: "14" }),
      await create(workspace, { expires_in_days: "3" }),
    ];
    expect(await minute(workspace)).toEqual([]);
    await expireIn(own.id, 10);
    expect(await minute(workspace)).toEqual([workspace.ownerEmail]);
    await expireIn(short.id, 2);
    expect(await minute(workspace)).toEqual([workspace.ownerEmail]);
  });

  it("are not sent for a rolled or revoked token [A19]", async () => {
    const workspace = await makeWorkspace();
    const [rolled, revoked] = [
      await create(workspace, { expires_in_days: "90" }),
      await create(workspace, { expires_in_days: "90" }),
    ];
    await admin(workspace, "roll-api-token", { id: rolled.id });
    await expireIn(revoked.id, 10);
    await admin(workspace, "revoke-api-token", { id: revoked.id });
    expect(await minute(workspace)).toEqual([]);
  });

  it("do not read the token's row once they are sent [A19]", async () => {
    const workspace = await makeWorkspace();
    await minute(workspace);
    await insertTokens(workspace, 150);
    await env.DB.prepare("UPDATE api_tokens SET expires_at = ?, warnings_sent = 2 WHERE organization_id = ?")
      .bind(new Date(Date.now() + 10 * dayMs).toISOString(), workspace.organizationId)
      .run();
    const { read } = await metered(() => warnOfExpiringTokens(servicesOf(env)));
    expect(read).toBeLessThan(20);
  });

  it("are retried if the e-mail failed [A19]", async () => {
    const { workspace, created } = await makeExpiring("90");
    await expireIn(created.id, 10);
    const { send } = env.EMAIL;
    vi.spyOn(env.EMAIL, "send").mockImplementation((mail) => {
      if ((mail as EmailMessageBuilder).to === workspace.ownerEmail)
        return Promise.reject(new Error("mailer down"));
      return send.call(env.EMAIL, mail as EmailMessageBuilder);
    });
    await expect(warnOfExpiringTokens(servicesOf(env))).rejects.toThrow("1 warnings were not sent");
    vi.restoreAllMocks();
    expect(await minute(workspace)).toEqual([]);
    await env.DB.prepare("UPDATE api_tokens SET warning_leased_until = '2026-01-01' WHERE id = ?")
      .bind(created.id)
      .run();
    expect(await minute(workspace)).toEqual([workspace.ownerEmail]);
  });
});
