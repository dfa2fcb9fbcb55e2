import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { coordinatorStub } from "./coordinator.ts";
import { imagesInBucket } from "./review.ts";
import { everyRowOf } from "./whole-workspace.ts";
import type { Workspace } from "./workspace.ts";

const countedRequests = ["rate_window", "token_use"];

const ofCoordinator = (workspace: Workspace) =>
  runInDurableObject(coordinatorStub(workspace), async (_, { storage }) => {
    const tables = storage.sql.exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf*'",
    );
    const kept = [...tables].map(({ name }) => name).filter((name) => !countedRequests.includes(name));
    const rows = kept.map((name) => [name, [...storage.sql.exec(`SELECT * FROM "${name}"`)]]);
    return { rows, alarm: await storage.getAlarm() };
  });

/** Everything stored about an organization, as JSON: rows, sequences, images and its coordinator's storage. */
export async function snapshotOf(workspace: Workspace): Promise<string> {
  const sequences = await env.DB.prepare("SELECT * FROM sqlite_sequence ORDER BY name").all();
  return JSON.stringify([
    [...(await everyRowOf(workspace))],
    sequences.results,
    await imagesInBucket(workspace),
    await ofCoordinator(workspace),
  ]);
}

/** Counts e-mails, queue messages, and stored or removed images until the test ends. */
export function countSideEffects(): () => number {
  const spies = [
    vi.spyOn(env.EMAIL, "send"),
    ...[
      env.WEBHOOK_DELIVERIES,
      env.WEBHOOK_DELIVERIES_SLOW,
      env.WEBHOOK_DELIVERIES_FAILING,
      env.SEND_RECORDS,
    ].flatMap((queue) => [vi.spyOn(queue, "send"), vi.spyOn(queue, "sendBatch")]),
    vi.spyOn(env.IMAGES, "put"),
    vi.spyOn(env.IMAGES, "delete"),
  ];
  return () => spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
}
