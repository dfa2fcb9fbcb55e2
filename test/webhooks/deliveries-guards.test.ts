import { describe, expect, it } from "vitest";
import {
  type FilledWorkspace,
  makeFilledWorkspace,
  rowById,
  sql,
  update,
} from "../support/filled-workspace.ts";

const event = (here: FilledWorkspace) => here.changeDecision({ status: "sent" });
const settle = (endpointId: string, status: string) =>
  sql(
    `UPDATE webhook_deliveries SET status = ?, attempts = attempts + 1, next_attempt_at = NULL
      WHERE endpoint_id = ? AND status = 'pending'`,
    status,
    endpointId,
  );
const due = expect.stringMatching(/Z$/);

describe("an event's fan-out", () => {
  it("creates one pending delivery per subscribed endpoint, due at once", async () => {
    const here = await makeFilledWorkspace();
    const endpoints = [await here.endpoint(), await here.endpoint(), await here.endpoint()];
    await event(here);
    const deliveries = (await Promise.all(endpoints.map((id) => here.deliveries(id)))).flat();
    expect(deliveries).toMatchObject(
      endpoints.map(() => ({
        event: "change_decision.sent",
        status: "pending",
        attempts: 0,
        next_attempt_at: due,
      })),
    );
    const ids = deliveries.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("rejects the replacement of an event by its id or its number", async () => {
    const here = await makeFilledWorkspace();
    const endpoint = await here.endpoint();
    await event(here);
    for (const key of ["id", "sequence"])
      await expect(
        sql(
          `INSERT OR REPLACE INTO events (${key}, organization_id, event, category, subject_id, payload)
            SELECT ${key}, organization_id, event, category, subject_id, payload FROM events
              WHERE organization_id = ?`,
          here.organizationId,
        ),
        key,
      ).rejects.toThrow("row_exists");
    expect(await here.deliveries(endpoint)).toHaveLength(1);
  });

  it.each([
    ["all events", null, true],
    ["its name", ["invoice.paid", "change_decision.sent"], true],
    ["its category", ["change"], true],
    ["other names", ["invoice.paid", "change_order.sent"], false],
    ["other categories", ["money", "scope", "delivery"], false],
    ["nothing", [], false],
  ])("an endpoint subscribed to %s (%j) gets the event: %s", async (_what, events, subscribed) => {
    const here = await makeFilledWorkspace();
    const endpoint = await here.endpoint(events);
    await event(here);
    expect(await here.deliveries(endpoint)).toHaveLength(subscribed ? 1 : 0);
  });

  it("skips other organizations and deleted endpoints", async () => {
    const [here, there] = [await makeFilledWorkspace(), await makeFilledWorkspace()];
    const [foreign, deleted] = [
      await there.endpoint(),
      await here.endpoint(null, { deleted_at: "2026-01-31T09:30:00.000Z" }),
    ];
    await event(here);
    expect(await here.deliveries(foreign)).toEqual([]);
    expect(await here.deliveries(deleted)).toEqual([]);
  });
});

describe("held deliveries", () => {
  const blocks: [
    string,
    (here: FilledWorkspace, endpoint: string) => Promise<unknown>,
    (here: FilledWorkspace, endpoint: string) => Promise<unknown>,
  ][] = [
    [
      "while the endpoint is disabled",
      (_, id) => update("webhook_endpoints", id, { enabled: 0 }),
      (_, id) => update("webhook_endpoints", id, { enabled: 1 }),
    ],
    [
      "while the plan has no api_access",
      (here) => update("organizations", here.organizationId, { plan: "free" }),
      (here) => update("organizations", here.organizationId, { plan: "solo" }),
    ],
  ];

  it.each(blocks)("stay pending %s, and are due afterwards", async (_when, block, release) => {
    const here = await makeFilledWorkspace();
    const endpoint = await here.endpoint();
    await event(here);
    await block(here, endpoint);
    await event(here);
    expect(await here.deliveries(endpoint)).toMatchObject(
      [1, 2].map(() => ({ status: "pending", attempts: 0, next_attempt_at: null })),
    );
    await release(here, endpoint);
    expect(await here.deliveries(endpoint)).toMatchObject(
      [1, 2].map(() => ({ status: "pending", next_attempt_at: due })),
    );
  });

  it("are due again when the plan regains api_access", async () => {
    const plan = `plan ${crypto.randomUUID()}`;
    await sql("INSERT INTO plans (name, api_access, requests_per_minute) VALUES (?, 1, 60)", plan);
    const here = await makeFilledWorkspace({ plan });
    const endpoint = await here.endpoint();
    await event(here);
    await sql("UPDATE plans SET api_access = 0 WHERE name = ?", plan);
    expect(await here.deliveries(endpoint)).toMatchObject([{ next_attempt_at: null }]);
    await sql("UPDATE plans SET api_access = 1 WHERE name = ?", plan);
    expect(await here.deliveries(endpoint)).toMatchObject([{ next_attempt_at: due }]);
    const retry = "2999-01-01T00:00:00.000Z";
    await sql("UPDATE webhook_deliveries SET next_attempt_at = ? WHERE endpoint_id = ?", retry, endpoint);
    for (const access of [0, 1]) await sql("UPDATE plans SET api_access = ? WHERE name = ?", access, plan);
    expect(await here.deliveries(endpoint)).toMatchObject([{ next_attempt_at: retry, held_due_at: null }]);
  });

  it("are due only once they have no reason to be held", async () => {
    const here = await makeFilledWorkspace();
    const [switchedOff, live] = [await here.endpoint(), await here.endpoint()];
    await update("webhook_endpoints", switchedOff, { enabled: 0 });
    await update("organizations", here.organizationId, { plan: "free" });
    await event(here);
    await update("organizations", here.organizationId, { plan: "solo" });
    expect(await here.deliveries(switchedOff)).toMatchObject([{ next_attempt_at: null }]);
    expect(await here.deliveries(live)).toMatchObject([{ next_attempt_at: due }]);
    await update("organizations", here.organizationId, { plan: "free" });
    await update("webhook_endpoints", switchedOff, { enabled: 1 });
    expect(await here.deliveries(switchedOff)).toMatchObject([{ next_attempt_at: null }]);
  });

  it("can be released without changing other deliveries", async () => {
    const here = await makeFilledWorkspace();
    const endpoint = await here.endpoint();
    await event(here);
    const retry = "2999-01-01T00:00:00.000Z";
    await sql(
      "UPDATE webhook_deliveries SET next_attempt_at = ?, attempts = 1 WHERE endpoint_id = ?",
      retry,
      endpoint,
    );
    await update("organizations", here.organizationId, { plan: "solo" });
    expect(await here.deliveries(endpoint)).toMatchObject([{ next_attempt_at: retry, attempts: 1 }]);
  });

  it.each(blocks)("keep their due time %s", async (_when, block, release) => {
    const here = await makeFilledWorkspace();
    const endpoint = await here.endpoint();
    await event(here);
    const retry = "2999-01-01T00:00:00.000Z";
    await sql("UPDATE webhook_deliveries SET next_attempt_at = ? WHERE endpoint_id = ?", retry, endpoint);
    for (const _ of [1, 2]) {
      await block(here, endpoint);
      expect(await here.deliveries(endpoint)).toMatchObject([{ next_attempt_at: null }]);
      await release(here, endpoint);
      expect(await here.deliveries(endpoint)).toMatchObject([{ next_attempt_at: retry, held_due_at: null }]);
    }
  });

  it("are due at the time that an attempt set while they were held", async () => {
    const here = await makeFilledWorkspace();
    const endpoint = await here.endpoint();
    await event(here);
    await update("webhook_endpoints", endpoint, { enabled: 0 });
    const retry = "2999-01-01T00:00:00.000Z";
    await sql(
      "UPDATE webhook_deliveries SET attempts = 1, next_attempt_at = ? WHERE endpoint_id = ?",
      retry,
      endpoint,
    );
    await update("webhook_endpoints", endpoint, { enabled: 1 });
    expect(await here.deliveries(endpoint)).toMatchObject([{ attempts: 1, next_attempt_at: retry }]);
  });

  it("include replays, and deliveries that were in progress when the endpoint was disabled", async () => {
    const here = await makeFilledWorkspace();
    const endpoint = await here.endpoint();
    await event(here);
    await update("webhook_endpoints", endpoint, { enabled: 0 });
    await sql(
      "UPDATE webhook_deliveries SET attempts = 1, next_attempt_at = '2026-01-31T09:30:00.000Z' WHERE endpoint_id = ?",
      endpoint,
    );
    expect(await here.deliveries(endpoint)).toMatchObject([{ attempts: 1, next_attempt_at: null }]);
    await settle(endpoint, "dead");
    await sql(
      `UPDATE webhook_deliveries SET status = 'pending', attempts = 0, next_attempt_at =
        '2026-01-31T09:30:00.000Z' WHERE endpoint_id = ?`,
      endpoint,
    );
    expect(await here.deliveries(endpoint)).toMatchObject([{ status: "pending", next_attempt_at: null }]);
  });
});

describe("the circuit breaker", () => {
  const dead = async (here: FilledWorkspace, endpoint: string, count: number) => {
    for (let made = 0; made < count; made++) {
      await event(here);
      await settle(endpoint, "dead");
    }
  };

  it("disables an endpoint at its 20th consecutive dead delivery and holds pending ones", async () => {
    const here = await makeFilledWorkspace();
    const endpoint = await here.endpoint();
    await dead(here, endpoint, 19);
    expect(await rowById("webhook_endpoints", endpoint)).toMatchObject({ enabled: 1, consecutive_dead: 19 });
    await event(here);
    await event(here);
    const [waiting] = (await here.deliveries(endpoint)).slice(-1);
    await sql(
      "UPDATE webhook_deliveries SET status = 'dead' WHERE endpoint_id = ? AND status = 'pending' AND id <> ?",
      endpoint,
      waiting?.id,
    );
    expect(await rowById("webhook_endpoints", endpoint)).toMatchObject({
      enabled: 0,
      disabled_reason: "circuit_breaker",
      notice_due_at: expect.any(String),
    });
    expect((await here.deliveries(endpoint)).at(-1)).toMatchObject({
      status: "pending",
      next_attempt_at: null,
    });
  });

  it("counts every delivery if several become dead in one statement", async () => {
    const here = await makeFilledWorkspace();
    const endpoint = await here.endpoint();
    for (let made = 0; made < 25; made++) await event(here);
    await settle(endpoint, "dead");
    expect(await rowById("webhook_endpoints", endpoint)).toMatchObject({
      enabled: 0,
      disabled_reason: "circuit_breaker",
      consecutive_dead: 25,
    });
  });

  it("holds retries that are written in the statement that opens it", async () => {
    const here = await makeFilledWorkspace();
    const endpoint = await here.endpoint();
    for (let made = 0; made < 22; made++) await event(here);
    const [first, ...others] = await here.deliveries(endpoint);
    const retried = [first?.id, others.at(-1)?.id];
    await sql(
      `UPDATE webhook_deliveries SET attempts = 1, status = iif(id IN (?1, ?2), 'pending', 'dead'),
        next_attempt_at = iif(id IN (?1, ?2), '2026-01-31T09:30:00.000Z', NULL) WHERE endpoint_id = ?3`,
      ...retried,
      endpoint,
    );
    const held = (await here.deliveries(endpoint)).filter(({ status }) => status === "pending");
    expect(held.map(({ id }) => id)).toEqual(retried);
    expect(held).toMatchObject(retried.map(() => ({ attempts: 1, next_attempt_at: null })));
  });

  it("resets the count when a delivery succeeds", async () => {
    const here = await makeFilledWorkspace();
    const endpoint = await here.endpoint();
    await dead(here, endpoint, 19);
    await event(here);
    await settle(endpoint, "delivered");
    expect(await rowById("webhook_endpoints", endpoint)).toMatchObject({ enabled: 1, consecutive_dead: 0 });
    await dead(here, endpoint, 19);
    expect(await rowById("webhook_endpoints", endpoint)).toMatchObject({ enabled: 1, consecutive_dead: 19 });
  });

  it("resets the count when an admin enables the endpoint", async () => {
    const here = await makeFilledWorkspace();
    const endpoint = await here.endpoint();
    await dead(here, endpoint, 20);
    await update("webhook_endpoints", endpoint, { enabled: 1 });
    expect(await rowById("webhook_endpoints", endpoint)).toMatchObject({
      enabled: 1,
      consecutive_dead: 0,
      disabled_reason: null,
      notice_due_at: expect.any(String),
    });
  });

  it("does not warn about an endpoint that is already disabled", async () => {
    const here = await makeFilledWorkspace();
    const endpoint = await here.endpoint();
    await dead(here, endpoint, 9);
    await event(here);
    await update("webhook_endpoints", endpoint, { enabled: 0 });
    await settle(endpoint, "dead");
    expect(await rowById("webhook_endpoints", endpoint)).toMatchObject({
      consecutive_dead: 10,
      notice_due_at: null,
    });
  });

  it("is not the disabled_reason of an endpoint that an admin disabled", async () => {
    const here = await makeFilledWorkspace();
    const endpoint = await here.endpoint();
    await update("webhook_endpoints", endpoint, { enabled: 0 });
    expect((await rowById("webhook_endpoints", endpoint)).disabled_reason).toBe("admin");
  });
});

describe("deleting an endpoint", () => {
  const deleted = { deleted_at: "2026-01-31T09:30:00.000Z" };

  it("ends its pending deliveries without counting them as failures", async () => {
    const here = await makeFilledWorkspace();
    const endpoint = await here.endpoint();
    await event(here);
    await update("webhook_endpoints", endpoint, deleted);
    expect(await here.deliveries(endpoint)).toMatchObject([
      { status: "dead", next_attempt_at: null, settled_at: due },
    ]);
    expect((await rowById("webhook_endpoints", endpoint)).consecutive_dead).toBe(0);
  });

  it("ends an attempt in progress", async () => {
    const here = await makeFilledWorkspace();
    const endpoint = await here.endpoint();
    await event(here);
    await update("webhook_endpoints", endpoint, deleted);
    await sql(
      `UPDATE webhook_deliveries SET status = 'pending', attempts = 1, next_attempt_at =
        '2026-01-31T09:30:00.000Z' WHERE endpoint_id = ?`,
      endpoint,
    );
    expect(await here.deliveries(endpoint)).toMatchObject([{ status: "dead", next_attempt_at: null }]);
  });
});
