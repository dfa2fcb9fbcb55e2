import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Services } from "../../src/core/services.ts";
import { scheduled } from "../../src/cron/scheduled.ts";
import { servicesOf } from "../../src/services.ts";
import { makeFilledWorkspace, sql } from "../support/filled-workspace.ts";
import { recordEvents, register, settled } from "../support/webhooks.ts";
import { makeWorkspace } from "../support/workspace.ts";

/** The log line of each cron run, and the call to an external monitor. */

async function minuteLine(changes: Partial<Services> = {}): Promise<Record<string, unknown>> {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  await scheduled({ ...servicesOf(env), ...changes });
  const lines = log.mock.calls.map(([line]) => JSON.parse(String(line))).filter((line) => line.minute);
  log.mockRestore();
  expect(lines).toHaveLength(1);
  return lines[0].minute;
}

/** Queues that reject every message, so that due deliveries stay due. */
const queuesDown = {
  queues: Object.fromEntries(
    ["fast", "slow", "failing"].map((name) => [name, { sendBatch: () => Promise.reject(new Error("down")) }]),
  ) as never,
};

const watched = (answer: () => Promise<Response>) => {
  const asked: string[] = [];
  const ask = async (url: RequestInfo | URL) => {
    asked.push(String(url));
    return answer();
  };
  return { asked, services: { fetch: ask as typeof fetch, heartbeatUrl: "https://watcher.example/beat" } };
};

describe("the log line of a cron run", () => {
  it("reports backlogs, the outcomes of the previous minute and the database size [O15]", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const before = await minuteLine(queuesDown);
    const [workspace, here] = [await makeWorkspace(), await makeFilledWorkspace()];
    const [waiting, off] = [await register(workspace), await register(workspace)];
    await sql("UPDATE webhook_endpoints SET enabled = 0 WHERE id = ?", off.id);
    await recordEvents(workspace, 3);
    const other = await makeWorkspace();
    const late = await register(other);
    await recordEvents(other, 1);
    for (const [{ id }, minutes] of [
      [waiting, 2],
      [late, 5],
    ] as const)
      await sql(
        `UPDATE webhook_deliveries SET next_attempt_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?)
         WHERE endpoint_id = ?`,
        `-${minutes} minutes`,
        id,
      );
    await here.own("processor_events", {
      type: "payment_intent.succeeded",
      kind: "payment",
      outcome: "unmatched",
      unmatched_reason: "names_nothing",
      occurred_at: "2026-01-31T09:30:00.000Z",
    });
    await sql(
      "INSERT INTO attempt_counts (minute, delivered, failed, dead) VALUES (strftime('%Y-%m-%dT%H:%M', 'now', '-1 minute'), 5, 2, 1)",
    );
    const line = await minuteLine({ ...queuesDown, db: env.DB });
    expect(line).toEqual({
      due: 3 + 1,
      oldest_due_age_seconds: expect.closeTo(300, -2),
      held: Number(before.held) + 3,
      delivered: 5,
      failed: 2,
      dead: 1,
      notices_due: 0,
      backup_age_seconds: null,
      imports: Number(before.imports),
      unmatched: Number(before.unmatched) + 1,
      unmatched_mail_events: Number(before.unmatched_mail_events),
      mail_events_silent: Number(before.mail_events_silent),
      database_bytes: expect.any(Number),
      dead_send_records: 0,
      dead_email_events: 0,
      unread: [],
      job_ms: expect.any(Number),
    });
    expect(Number(line.database_bytes)).toBeGreaterThan(100_000);
    for (const { id } of [waiting, late])
      await sql("UPDATE webhook_endpoints SET enabled = 0 WHERE id = ?", id);
  });

  it("reports a figure that cannot be read as null and lists it in unread [O15]", async () => {
    const told = vi.spyOn(console, "error").mockImplementation(() => {});
    await sql("ALTER TABLE backups RENAME TO backups_elsewhere");
    const { services, asked } = watched(async () => new Response("ok"));
    const queue = { metrics: () => Promise.reject(new Error("the queue is away")) } as never;
    const line = await minuteLine({ ...services, deadSendRecords: queue }).finally(() =>
      sql("ALTER TABLE backups_elsewhere RENAME TO backups"),
    );
    expect(line).toMatchObject({
      ...{ due: expect.any(Number), unmatched: expect.any(Number), database_bytes: expect.any(Number) },
      ...{ backup_age_seconds: null, dead_send_records: null },
      unread: ["backup_age_seconds", "dead_send_records"],
    });
    expect(told.mock.calls.map(([text]) => JSON.parse(String(text)).figure).filter(Boolean)).toEqual(
      line.unread,
    );
    expect(asked).toEqual([]);
    told.mockRestore();
  });

  it("counts attempts by their outcome", async () => {
    const counts = async () =>
      (
        await sql(
          "SELECT sum(delivered) AS delivered, sum(failed) AS failed, sum(dead) AS dead FROM attempt_counts",
        )
      )[0];
    await sql("DELETE FROM attempt_counts");
    const workspace = await makeWorkspace();
    const [good, bad, gone] = [
      await register(workspace),
      await register(workspace, "status/500"),
      await register(workspace, "status/410"),
    ];
    await recordEvents(workspace, 2);
    await servicesOf(env).enqueueDueDeliveries(workspace.organizationId);
    await Promise.all([good, bad, gone].map((endpoint) => settled(endpoint)));
    await expect.poll(counts).toEqual({ delivered: 2, failed: 2, dead: 2 });
  });

  it("is written without waiting for a hanging e-mail service [O15]", async () => {
    const { organizationId, ownerEmail } = await makeWorkspace();
    await sql(
      `INSERT INTO mail_counts (organization_id, day, address, held_notices)
       VALUES (?, date('now', '-1 day'), ?, 3)`,
      organizationId,
      ownerEmail,
    );
    const said: string[] = [];
    vi.spyOn(console, "log").mockImplementation(
      (line) => void said.push(line.includes("minute") ? "line" : line),
    );
    vi.spyOn(console, "error").mockImplementation(() => {});
    const send = async () => {
      said.push("mail");
      await expect.poll(() => said).toContain("line");
      throw new Error("The mailer is back, and refuses.");
    };
    await scheduled({ ...servicesOf(env), email: { send } });
    expect(said).toEqual(["line", "mail"]);
    vi.restoreAllMocks();
    await sql("DELETE FROM mail_counts WHERE organization_id = ?", organizationId);
  });
});

describe("the external monitor", () => {
  it("is called once after a cron run without a failed job [O15]", async () => {
    const { asked, services } = watched(async () => new Response("ok"));
    await minuteLine(services);
    expect(asked).toEqual(["https://watcher.example/beat"]);
    await minuteLine({ ...services, heartbeatUrl: "" });
    expect(asked).toHaveLength(1);
  });

  it("is not called after a cron run with a failed job [O15]", async () => {
    const { asked, services } = watched(async () => new Response("ok"));
    vi.spyOn(console, "error").mockImplementation(() => {});
    const workspace = await makeWorkspace();
    await register(workspace);
    await recordEvents(workspace, 1);
    await minuteLine({ ...services, ...queuesDown });
    expect(asked).toEqual([]);
  });

  it("causes a log line if it returns an error or is unavailable", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    await minuteLine(watched(async () => new Response("no", { status: 500 })).services);
    await minuteLine(watched(() => Promise.reject(new Error("away"))).services);
    expect(log.mock.calls.map(([line]) => JSON.parse(String(line)).failed)).toEqual([
      "heartbeat",
      "heartbeat",
    ]);
  });
});
