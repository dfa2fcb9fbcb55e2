import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { scopeCatalogue } from "../../src/contract/scopes.ts";
import { sha256Hex } from "../../src/platform/digest.ts";
import { admin, refusal } from "../support/admin.ts";
import { call } from "../support/partner.ts";
import { makeWorkspace } from "../support/workspace.ts";

interface Minted {
  id: string;
  token: string;
  token_prefix: string;
  name: string;
  scopes: string[];
  created_at: string;
}

interface AuditEntry {
  action: string;
  actor: string;
  subject_id: string;
  details: Record<string, unknown>;
}

describe("creating a token", () => {
  it("returns the plaintext only once, and its first 14 characters as the prefix [A1, A4]", async () => {
    const workspace = await makeWorkspace();
    const created = await admin<Minted>(workspace, "create-api-token", {
      name: "Timer",
      scopes: "time:read, time:write,time:read",
    });
    expect(created.token).toMatch(/^svc_[a-f0-9]{36}$/);
    expect(created.token_prefix).toBe(created.token.slice(0, 14));
    expect(created.scopes).toEqual(["time:read", "time:write"]);
    expect(Object.keys(created).sort()).toEqual([
      "allowed_ips",
      "created_at",
      "created_by",
      "expires_at",
      "id",
      "name",
      "scopes",
      "token",
      "token_prefix",
    ]);
    expect((await call({ token: created.token }, "/api-v1/time-entries")).status).toBe(200);
  });

  it("stores only the SHA-256 and the prefix [A4]", async () => {
    const workspace = await makeWorkspace();
    const { token, id } = await admin<Minted>(workspace, "create-api-token", { name: "Quiet" });
    await call({ token }, "/api-v1/deliverables");
    const row = await env.DB.prepare("SELECT token_hash FROM api_tokens WHERE id = ?").bind(id).first();
    expect(row?.token_hash).toBe(sha256Hex(token));
    const { results: tables } = await env.DB.prepare(
      "SELECT m.name, json_group_array(c.name) AS columns FROM sqlite_master m, pragma_table_info(m.name) c " +
        "WHERE m.type = 'table' AND m.name NOT GLOB '_cf*' AND m.name NOT GLOB 'sqlite*' GROUP BY m.name",
    ).all<{ name: string; columns: string }>();
    expect(tables.length).toBeGreaterThan(20);
    const tablesWith = async (text: string) => {
      const found = await env.DB.batch<{ name: string }>(
        tables.map(({ name, columns }) => {
          const anywhere = JSON.parse(columns)
            .map((column: string) => `instr("${column}", ?1)`)
            .join(" OR ");
          return env.DB.prepare(`SELECT '${name}' AS name FROM "${name}" WHERE ${anywhere} LIMIT 1`).bind(
            text,
          );
        }),
      );
      return found.flatMap(({ results }) => results.map(({ name }) => name));
    };
    expect(await tablesWith(sha256Hex(token))).toEqual(["api_tokens"]);
    expect(await tablesWith(token.slice(14))).toEqual([]);
  });

  it("grants only deliverable:write if no scopes are given [A8]", async () => {
    const workspace = await makeWorkspace();
    const { token, scopes } = await admin<Minted>(workspace, "create-api-token", { name: "Two arguments" });
    expect(scopes).toEqual(["deliverable:write"]);
    const refused = await call({ token }, "/api-v1/clients");
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ code: "insufficient_scope", required_scope: "client:read" });
  });

  it("rejects an unknown scope, and rejects invoice:issue with a separate message [A9]", async () => {
    const workspace = await makeWorkspace();
    const create = (scopes: string) => refusal(workspace, "create-api-token", { name: "x", scopes });
    expect(await create("time:read,time:travel")).toEqual({
      message: "Unknown scope: time:travel",
      hint: null,
    });
    expect(await create("invoice:issue")).toEqual({ message: "Scope not available yet", hint: null });
    expect(await create("time:read,invoice:issue")).toEqual({
      message: "Scope not available yet",
      hint: null,
    });
    expect(await create("toString")).toEqual({ message: "Unknown scope: toString", hint: null });
    expect(await create("")).toEqual({ message: "scopes must have at least one item", hint: null });
    expect(await admin(workspace, "list-api-tokens")).toHaveLength(1);
  });

  it("rejects anyone but an admin or owner before any other check [A7]", async () => {
    const workspace = await makeWorkspace({ plan: "free" });
    await admin(workspace, "set-member", { email: "mia@example.com", role: "member" });
    await admin(workspace, "set-member", { email: "adam@example.com", role: "admin" });
    const create = (actor: string) => refusal(workspace, "create-api-token", { name: "x", actor });
    const onlyAdmins = { message: "Only organization admins can create API tokens", hint: null };
    expect(await create("mia@example.com")).toEqual(onlyAdmins);
    expect(await create("nobody@example.com")).toEqual(onlyAdmins);
    expect((await create("adam@example.com")).message).toBe("API access is a paid feature");
  });

  it("rejects an organization whose plan has no API access [A7]", async () => {
    const workspace = await makeWorkspace({ plan: "free" });
    expect(await refusal(workspace, "create-api-token", { name: "x" })).toEqual({
      message: "API access is a paid feature",
      hint: "upgrade_required:api_access",
    });
  });

  it("names the invalid field", async () => {
    const workspace = await makeWorkspace();
    expect((await refusal(workspace, "create-api-token")).message).toBe("name is required");
    expect((await refusal(workspace, "create-api-token", { name: " " })).message).toMatch(/^name /);
    expect((await refusal(workspace, "create-api-token", { scope: "y" })).message).toBe(
      "scope is not a known field",
    );
  });

  it("records the creator, the name, the prefix and the scopes in the audit log [A13]", async () => {
    const workspace = await makeWorkspace();
    const created = await admin<Minted>(workspace, "create-api-token", {
      name: "Logged",
      scopes: "time:read",
    });
    const [entry] = await admin<AuditEntry[]>(workspace, "audit-log");
    expect(entry).toMatchObject({
      action: "token.created",
      actor: workspace.ownerEmail,
      subject_id: created.id,
      details: { name: "Logged", prefix: created.token_prefix, scopes: ["time:read"] },
    });
    expect(JSON.stringify(entry)).not.toContain(created.token.slice(14));
  });

  it("leaves existing tokens with invoice:issue valid", async () => {
    const workspace = await makeWorkspace({ scopes: ["invoice:issue", "client:read"] });
    expect((await call(workspace, "/api-v1/clients")).status).toBe(200);
  });
});

describe("the scope catalog", () => {
  it("lists every scope with its default, its sensitivity and whether it can be granted [A10]", async () => {
    const entries = await admin<{ scope: string; default_selected: boolean }[]>(
      await makeWorkspace(),
      "api-scope-catalogue",
    );
    expect(entries.map(({ scope }) => scope).sort()).toEqual(Object.keys(scopeCatalogue).sort());
    expect(entries.filter((entry) => entry.default_selected).map(({ scope }) => scope)).toEqual([
      "client:read",
      "project:read",
      "time:read",
      "invoice:read",
      "deliverable:read",
    ]);
    expect(entries).toContainEqual({
      scope: "deliverable:send",
      grants: "e-mail a client a review link",
      default_selected: false,
      sensitive: true,
      grantable: true,
    });
    expect(entries).toContainEqual(expect.objectContaining({ scope: "invoice:issue", grantable: false }));
  });
});

describe("existing tokens", () => {
  it("are rejected from the next call after they are revoked [A11]", async () => {
    const workspace = await makeWorkspace();
    const { token, id } = await admin<Minted>(workspace, "create-api-token", {
      name: "Short",
      scopes: "client:read",
    });
    expect((await call({ token }, "/api-v1/clients")).status).toBe(200);
    const revoked = await admin<{ revoked_at: string }>(workspace, "revoke-api-token", { id });
    expect(revoked.revoked_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const refused = await call({ token }, "/api-v1/clients");
    expect(refused.status).toBe(401);
    expect(await refused.json()).toEqual({ error: "Invalid or missing API token" });
  });

  it("are changed and logged only once when revoked twice", async () => {
    const workspace = await makeWorkspace();
    const { id } = await admin<Minted>(workspace, "create-api-token", { name: "Twice" });
    const first = await admin(workspace, "revoke-api-token", { id });
    expect(await admin(workspace, "revoke-api-token", { id })).toEqual(first);
    const log = await admin<AuditEntry[]>(workspace, "audit-log");
    expect(log.filter(({ action }) => action === "token.revoked")).toHaveLength(1);
  });

  it("get 403 without api_access, but can still be listed and revoked [A12]", async () => {
    const workspace = await makeWorkspace();
    const { id, token } = await admin<Minted>(workspace, "create-api-token", {
      name: "Paid",
      scopes: "client:read",
    });
    expect(await admin(workspace, "set-plan", { plan: "free" })).toMatchObject({
      plan: "free",
      api_access: false,
    });
    const refused = await call({ token }, "/api-v1/clients");
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ code: "upgrade_required", capability: "api_access" });
    expect((await refusal(workspace, "create-api-token", { name: "x" })).hint).toBe(
      "upgrade_required:api_access",
    );
    expect(await admin(workspace, "list-api-tokens")).toHaveLength(2);
    expect(await admin(workspace, "revoke-api-token", { id })).toMatchObject({ id });
    expect((await call({ token }, "/api-v1/clients")).status).toBe(401);
  });

  it("are listed newest first, without the hash or the plaintext", async () => {
    const workspace = await makeWorkspace();
    const { token } = await admin<Minted>(workspace, "create-api-token", { name: "Second" });
    const tokens = await admin<Record<string, unknown>[]>(workspace, "list-api-tokens");
    expect(tokens.map(({ name }) => name)).toEqual(["Second", "test"]);
    expect(JSON.stringify(tokens)).not.toContain(sha256Hex(token));
    expect(Object.keys(tokens[0] ?? {})).not.toContain("token_hash");
  });
});
