import { describe, expect, inject, it } from "vitest";
import { admin, callAdmin } from "../support/admin.ts";
import { sql } from "../support/filled-workspace.ts";
import { arrived, minute, recordEvents, register, settled } from "../support/webhooks.ts";
import { everyRowOf } from "../support/whole-workspace.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

/** Custom headers that an admin adds to an endpoint's deliveries. Their values must never be shown. */

interface Endpoint {
  id: string;
  url: string;
  headers: string[];
}

const value = "Bearer s3cret-of-the-gateway";
const headers = JSON.stringify({ "X-Zone": "eu", Authorization: value });
const names = ["Authorization", "X-Zone"];

const update = (here: Workspace, id: string, changes: object) =>
  admin<Endpoint>(here, "update-webhook-endpoint", { id, ...changes });

describe("an endpoint's custom headers", () => {
  it.each(["constructor", "toString", "hasOwnProperty"])("can have the name %s [W29]", async (name) => {
    const here = await makeWorkspace();
    const endpoint = await register(here, "status/200", { headers: JSON.stringify({ [name]: value }) });
    await admin(here, "send-test-webhook", { id: endpoint.id });
    await minute();
    const [sent] = await arrived(endpoint, 1);
    expect(Object.entries(sent?.headers ?? {})).toContainEqual([name.toLowerCase(), value]);
  });

  it("are sent with deliveries, tests and replays but never shown [W29, W30]", async () => {
    const here = await makeWorkspace();
    const endpoint = await register(here, "echo/authorization", { headers });
    await recordEvents(here, 1);
    await admin(here, "send-test-webhook", { id: endpoint.id });
    await minute();
    const sent = await arrived(endpoint, 2);
    expect(sent.map(({ headers: got }) => [got.authorization, got["x-zone"]])).toEqual([
      [value, "eu"],
      [value, "eu"],
    ]);
    const [delivery] = await settled(endpoint);
    const shown = await admin<{ attempts: { response_body: string }[] }>(here, "show-webhook-delivery", {
      id: String(delivery?.id),
    });
    expect(JSON.stringify(shown)).toContain("key [masked] is not known");
    // The first retry may be due within seconds, so it is postponed.
    await sql(
      "UPDATE webhook_deliveries SET next_attempt_at = '2099-01-31T09:30:00.000Z' WHERE id = ?",
      delivery?.id,
    );
    await admin(here, "replay-webhook-delivery", { id: String(delivery?.id) });
    await minute();
    expect((await arrived(endpoint, 3)).at(-1)?.headers.authorization).toBe(value);

    const told = [
      await admin(here, "list-webhook-endpoints"),
      await admin(here, "audit-log"),
      await update(here, endpoint.id, { description: "Books" }),
      ...(await everyRowOf(here)).values(),
    ];
    expect(told[0]).toMatchObject([{ headers: names }]);
    expect(told[1]).toContainEqual(
      expect.objectContaining({ details: expect.objectContaining({ headers: names }) }),
    );
    expect(JSON.stringify(told)).not.toMatch(/s3cret/);
  });

  it("are removed by {}, by a URL with another origin and when the endpoint is deleted [W29]", async () => {
    const here = await makeWorkspace();
    const { http } = inject("receivers");
    const { id } = await register(here, "status/200", { headers });
    const sealed = () => sql("SELECT headers_encrypted AS sealed FROM webhook_endpoints WHERE id = ?", id);
    expect((await update(here, id, { url: `${http}/status/200/other` })).headers).toEqual(names);
    expect((await update(here, id, { url: "https://93.184.216.34/" })).headers).toEqual([]);
    expect(await sealed()).toEqual([{ sealed: null }]);
    const moved = await update(here, id, { url: `${http}/status/200/again`, headers: '{"X-Key":"1"}' });
    expect(moved.headers).toEqual(["X-Key"]);
    expect((await update(here, id, { headers: "{}" })).headers).toEqual([]);
    await update(here, id, { headers });
    expect(await admin<Endpoint>(here, "delete-webhook-endpoint", { id })).toMatchObject({ headers: [] });
    expect(await sealed()).toEqual([{ sealed: null }]);
  });

  it("do not change the endpoint if they are invalid [W29]", async () => {
    const here = await makeWorkspace();
    const { id } = await register(here, "status/200", { headers });
    for (const wrong of ['{"Host":"a"}', '{"__proto__":"a","X-Key":"1"}', "X-Key: 1", '["a"]']) {
      const refused = await callAdmin("update-webhook-endpoint", {
        organization: here.organizationId,
        id,
        headers: wrong,
      });
      expect(refused).toMatchObject({ ok: false, message: expect.stringMatching(/^headers /) });
    }
    expect(await admin(here, "list-webhook-endpoints")).toMatchObject([{ headers: names }]);
  });
});
