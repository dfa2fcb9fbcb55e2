import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { watchRows } from "../../bench/coordinator-rows.ts";
import { purgeLedger } from "../../src/core/ledger/purge-ledger.ts";
import { servicesOf } from "../../src/services.ts";
import { purgeEvents } from "../../src/webhooks/deliveries/purge-events.ts";
import { startClock, stopClock } from "../support/clock.ts";
import { coordinatorStub } from "../support/coordinator.ts";
import { metered } from "../support/metered.ts";
import { call, post } from "../support/partner.ts";
import { makeRecords } from "../support/records.ts";
import { seed } from "../support/seed.ts";
import { deliveriesOf, register, settled } from "../support/webhooks.ts";
import { makeWorkspace, type Workspace } from "../support/workspace.ts";

/** Rows are most of the bill (docs/design/performance.md), so raise these numbers only for a good reason. */

const entry = (workspace: Workspace, project_id: string) =>
  post(workspace, "/api-v1/time-entries", { project_id, hours: 1, spent_date: "2026-01-31" });

/** Backdates events and requests beyond their retention. Triggers allow this only during an erasure. */
const age = ({ organizationId }: Workspace) =>
  env.DB.batch([
    env.DB.prepare("INSERT INTO erasures (id) VALUES (?)").bind(organizationId),
    ...["events SET sequence = -sequence,", "requests SET"].map((table) =>
      env.DB.prepare(
        `UPDATE ${table} created_at = '2020-01-31T09:30:00.000Z' WHERE organization_id = ?`,
      ).bind(organizationId),
    ),
    env.DB.prepare("DELETE FROM erasures"),
  ]);

it("a page of 50 records reads 55 rows, and one record reads 5", async () => {
  const workspace = await makeWorkspace();
  const { client_id, project_id } = await makeRecords(workspace);
  await seed("time-entries", workspace, { client_id, project_id }, 1, 100);
  const { id } = await (await entry(workspace, project_id)).json<{ id: string }>();
  expect(await metered(() => call(workspace, "/api-v1/time-entries"))).toMatchObject({
    read: 55,
    written: 0,
  });
  expect(await metered(() => call(workspace, `/api-v1/time-entries/${id}`))).toMatchObject({
    read: 5,
    written: 0,
  });
});

it("creating a time entry writes 10 rows, and dropping its response from the ledger one more", async () => {
  const workspace = await makeWorkspace();
  const { project_id } = await makeRecords(workspace);
  await purgeLedger(env.DB);
  expect(await metered(() => entry(workspace, project_id))).toMatchObject({ written: 10 });
  const entries = await env.DB.prepare("SELECT count(*) AS entries FROM requests WHERE organization_id = ?")
    .bind(workspace.organizationId)
    .first<number>("entries");
  await age(workspace);
  expect((await metered(() => purgeLedger(env.DB))).written).toBe(entries);
});

it("60 requests in a minute on the smallest plan write 21 rows in the coordinator", async () => {
  const coordinator = coordinatorStub({ organizationId: crypto.randomUUID() });
  const written = await runInDurableObject(coordinator, (_, state) => watchRows(state.storage.sql));
  stopClock();
  for (let turn = 0; turn < 60; turn += 1) {
    await coordinator.count(60, "token");
    await scheduler.wait(1);
  }
  startClock();
  await scheduler.wait(50);
  expect((await runInDurableObject(coordinator, () => written())).written).toBe(20 + 1);
});

// Retries twice, because work left running by an earlier file in the same process is also counted.
it("a webhook writes 12 rows when recorded, 2 when leased, 4 when delivered and 3 when purged", {
  retry: 2,
}, async () => {
  const workspace = await makeWorkspace();
  const endpoint = await register(workspace);
  const record = env.DB.prepare(
    `INSERT INTO events (organization_id, event, category, subject_id, payload)
     VALUES (?, 'invoice.paid', 'money', 'subject', '{}')`,
  ).bind(workspace.organizationId);
  const recorded = await metered(() => env.DB.batch([record]));
  const sent = await metered(async () => {
    await servicesOf(env).enqueueDueDeliveries(workspace.organizationId);
    await settled(endpoint);
  });
  expect(await deliveriesOf(endpoint)).toMatchObject([{ status: "delivered", attempts: 1 }]);
  await purgeEvents(env.DB);
  await age(workspace);
  const purged = await metered(() => purgeEvents(env.DB));
  expect([recorded.written, sent.written, purged.written]).toEqual([12, 2 + 4, 3]);
});
