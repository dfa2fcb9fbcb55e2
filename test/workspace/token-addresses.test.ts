import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { admin, refusal } from "../support/admin.ts";
import { call, post } from "../support/partner.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

interface Token {
  id: string;
  token: string;
  allowed_ips: string[] | null;
}

const [home, elsewhere] = ["203.0.113.7", "198.51.100.9"];

const create = (workspace: Workspace, fields: Record<string, string> = {}) =>
  admin<Token>(workspace, "create-api-token", {
    name: "Timer",
    scopes: "client:read,client:write",
    allowed_ips: `203.0.113.0/24, 2001:DB8::/32`,
    ...fields,
  });

const from = (address: string) => ({ headers: { "cf-connecting-ip": address } });

const statusFrom = async (token: Pick<Token, "token">, address: string) =>
  (await call(token, "/api-v1/clients", from(address))).status;

it("allowed_ips is normalized, is kept by a roll, and takes effect from the next request on [A14, A18, A22]", async () => {
  const workspace = await makeWorkspace();
  const allowed_ips = ["203.0.113.0/24", "2001:db8::/32"];
  const created = await create(workspace);
  const rolled = await admin<Token>(workspace, "roll-api-token", { id: created.id });
  expect([created.allowed_ips, rolled.allowed_ips]).toEqual([allowed_ips, allowed_ips]);
  expect(await (await call(created, "/api-v1/token", from("2001:db8::1"))).json()).toMatchObject({
    allowed_ips,
  });
  expect([await statusFrom(rolled, home), await statusFrom(rolled, elsewhere)]).toEqual([200, 403]);

  const set = (to: string) =>
    admin<Token>(workspace, "set-token-addresses", { id: rolled.id, allowed_ips: to });
  expect(await set(`${elsewhere}/32`)).toMatchObject({ id: rolled.id, allowed_ips: [elsewhere] });
  expect([await statusFrom(rolled, home), await statusFrom(rolled, elsewhere)]).toEqual([403, 200]);
  expect(await set("none")).toMatchObject({ allowed_ips: null });
  expect([await statusFrom(rolled, home), await statusFrom(rolled, "")]).toEqual([200, 200]);
  const [change] = await admin<object[]>(workspace, "audit-log", { action: "token.addresses_set" });
  expect(change).toMatchObject({
    subject_id: rolled.id,
    details: { before: { allowed_ips: [elsewhere] }, after: { allowed_ips: null } },
  });
});

it.each([
  ["", "must have at least one item"],
  [Array.from({ length: 21 }, (_, host) => `203.0.113.${host}`).join(), "must have at most 20 items"],
  ["203.0.113.7/24", "has host bits set in 203.0.113.7/24: the network is 203.0.113.0/24"],
  ["home", 'must be IPv4 or IPv6 addresses or CIDR ranges, not "home"'],
])("create-api-token rejects the allowed_ips %j [A22]", async (allowed_ips, what) => {
  const workspace = await makeWorkspace();
  const message = `allowed_ips ${what}`;
  expect(await refusal(workspace, "create-api-token", { name: "x", allowed_ips })).toMatchObject({ message });
  const change = { id: crypto.randomUUID(), allowed_ips };
  expect(await refusal(workspace, "set-token-addresses", change)).toMatchObject({ message });
});

it("a call from another address is rejected and logged, but not counted [A23]", async () => {
  const workspace = await makeWorkspace();
  const token = await create(workspace);
  const write = () =>
    call(token, "/api-v1/clients", { body: { client_name: "Mara" }, key: "one", ...from(elsewhere) });
  for (const answer of [await call(token, "/api-v1/clients", from(elsewhere)), await write()]) {
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { error: "This token cannot be used from this IP address", code: "address_not_allowed" },
    ]);
    expect(answer.headers.get("ratelimit-reset")).toBeNull();
  }
  const batch = vi.spyOn(env.DB, "batch");
  expect([await statusFrom(token, elsewhere), (await write()).status]).toEqual([403, 403]);
  expect(batch.mock.calls.map(([statements]) => statements.length)).toEqual([1, 1]);
  batch.mockRestore();

  const logged = await admin<object[]>(workspace, "list-requests", { status: "403" });
  expect(logged).toHaveLength(4);
  expect(logged[0]).toMatchObject({
    method: "POST",
    code: "address_not_allowed",
    error: "This token cannot be used from this IP address",
  });
  const { tokens } = await admin<{ tokens: object[] }>(workspace, "usage");
  expect(tokens).toMatchObject([{ id: token.id, requests: 4, refusals: 4 }]);
  const [listed] = await admin<object[]>(workspace, "list-api-tokens", { id: token.id });
  expect(listed).toMatchObject({ last_used_at: null });
  expect((await post(workspace, "/api-v1/clients", { client_name: "Mara" }, "one")).status).toBe(201);
});
