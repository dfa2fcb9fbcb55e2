import { env } from "cloudflare:workers";
import { describe, expect, inject, it } from "vitest";
import { deliveryAttempts } from "../../src/contract/retry-schedule.ts";
import { webhookLimits } from "../../src/contract/webhook-limits.ts";
import type { WebhookDeliveryInFull } from "../../src/webhooks/deliveries/record.ts";
import { admin } from "../support/admin.ts";
import {
  arrived,
  deliveriesOf,
  minute,
  recordEvents,
  register,
  retryNow,
  settled,
} from "../support/webhooks.ts";
import { makeWorkspace } from "../support/workspace.ts";

const secondsFromNow = (timestamp: string | null | undefined) =>
  (Date.parse(timestamp ?? "") - Date.now()) / 1000;

describe("a delivery [W16, W18, W19]", () => {
  it("is attempted at every step of the schedule, with full jitter", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace, "status/500");
    await recordEvents(workspace, 1);
    await minute();
    let [delivery] = await settled(endpoint);
    for (const [index, delay] of webhookLimits.retryDelaysSeconds.entries()) {
      expect(delivery).toMatchObject({ status: "pending", attempts: index + 1 });
      const wait = secondsFromNow(delivery?.next_attempt_at);
      expect(wait).toBeLessThanOrEqual(delay);
      expect(wait).toBeGreaterThan(-5);
      [delivery] = await retryNow(endpoint, index + 2);
    }
    expect(delivery).toMatchObject({ status: "dead", attempts: deliveryAttempts, next_attempt_at: null });
    const shown = await admin<WebhookDeliveryInFull>(workspace, "show-webhook-delivery", {
      id: delivery?.id,
    });
    expect(shown.attempt_log.map(({ attempt_number }) => attempt_number)).toEqual(
      Array.from({ length: deliveryAttempts }, (_, index) => index + 1),
    );
    expect(shown.attempt_log.at(0)).toMatchObject({
      response_status: 500,
      error_class: "server_error",
      response_body: "answered 500",
      next_attempt_at: expect.any(String),
    });
    expect(shown.attempt_log.at(-1)).toMatchObject({ next_attempt_at: null });
    expect(await arrived(endpoint, deliveryAttempts)).toHaveLength(deliveryAttempts);
  });

  it.each([
    ["429,seconds", 120],
    ["503,seconds", 120],
    ["503,date", 3600],
    ["429,huge", 24 * 3600],
  ])("honors Retry-After (%s) with the next attempt in %i seconds", async (argument, expected) => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace, `retry-after/${argument}`);
    await recordEvents(workspace, 1);
    await minute();
    const [delivery] = await settled(endpoint);
    expect(delivery).toMatchObject({ status: "pending", attempts: 1 });
    expect(Math.abs(secondsFromNow(delivery?.next_attempt_at) - expected)).toBeLessThan(60);
  });

  it.each([400, 401, 404, 410, 422])("is dead after a single response of %i", async (status) => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace, `status/${status}`);
    await recordEvents(workspace, 1);
    await minute();
    expect(await settled(endpoint)).toMatchObject([{ status: "dead", attempts: 1, next_attempt_at: null }]);
  });
});

describe("attempts to hostile receivers", () => {
  /** The first attempt in the log, for each receiver behavior. */
  const expectations = {
    "redirect/302": { error_class: "redirect", response_status: 302 },
    "redirect/307": { error_class: "redirect", response_status: 307 },
    "status/408": { error_class: "client_error", response_status: 408 },
    reset: { error_class: "network_error", response_status: null },
    half: { error_class: "network_error", response_status: null },
    nonsense: { error_class: "network_error", response_status: null },
    "broken-gzip": { error_class: "network_error", response_status: null },
    drip: { error_class: "timeout", response_status: null },
    unfinished: { error_class: "timeout", response_status: null },
    "slow/60000": { error_class: "timeout", response_status: null },
    "gzip-bomb": { error_class: null, response_status: 200 },
    endless: { error_class: null, response_status: 200 },
    huge: { error_class: null, response_status: 200 },
    binary: { error_class: null, response_status: 200 },
    accents: { error_class: null, response_status: 200 },
  } as const;

  it("are each recorded with their outcome within 5 seconds", async () => {
    const { http, selfSigned, silent, closed } = inject("receivers");
    const targets: [string, string, object][] = [
      ...Object.entries(expectations).map(([behavior, log]): [string, string, object] => [
        http,
        behavior,
        log,
      ]),
      [selfSigned, "status/200", { error_class: "network_error", response_status: null }],
      [silent.http, "silent", { error_class: "timeout", response_status: null }],
      [silent.https, "silent", { error_class: "timeout", response_status: null }],
      [closed, "closed", { error_class: "network_error", response_status: null }],
    ];
    const started = await Promise.all(
      targets.map(async ([base, behavior, log]) => {
        const workspace = await makeWorkspace();
        const endpoint = await register(workspace, behavior, { base });
        await recordEvents(workspace, 1);
        return { behavior, log, workspace, endpoint };
      }),
    );
    await minute();
    for (const { behavior, log, workspace, endpoint } of started) {
      const [delivery] = await settled(endpoint, 1, 20_000);
      const shown = await admin<WebhookDeliveryInFull>(workspace, "show-webhook-delivery", {
        id: delivery?.id,
      });
      expect(shown.attempt_log, behavior).toMatchObject([log]);
      const [attempt] = shown.attempt_log;
      expect(attempt?.latency_ms).toBeLessThan(webhookLimits.attemptDeadlineMs + 5_000);
      expect(attempt?.response_body?.length ?? 0).toBeLessThanOrEqual(webhookLimits.answerKeptBytes);
    }
    const redirected = await fetch(`${http}/__requests?path=/status/200/redirected`);
    expect(await redirected.json()).toEqual([]);
  }, 60_000);
});

describe("an attempt's address check [W22]", () => {
  it("prevents a call to an endpoint without a public address", async () => {
    const workspace = await makeWorkspace();
    const endpoint = await register(workspace);
    await env.DB.prepare("UPDATE webhook_endpoints SET url = 'https://10.0.0.1/hook' WHERE id = ?")
      .bind(endpoint.id)
      .run();
    await recordEvents(workspace, 1);
    await minute();
    const [delivery] = await settled(endpoint);
    expect(delivery).toMatchObject({ status: "pending", attempts: 1 });
    const shown = await admin<WebhookDeliveryInFull>(workspace, "show-webhook-delivery", {
      id: delivery?.id,
    });
    expect(shown.attempt_log).toMatchObject([{ error_class: "blocked_address", response_status: null }]);
    expect(await deliveriesOf(endpoint)).toHaveLength(1);
  });
});
