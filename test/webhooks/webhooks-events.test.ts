import { describe, expect, it } from "vitest";
import { eventNames, webhookEvents } from "../../src/webhooks/events.ts";
import type { WebhookEvent } from "../../src/workspace/events/event.ts";
import { makeFilledWorkspace, update } from "../support/filled-workspace.ts";
import { makers } from "../support/makers.ts";
import { arrived, deliveriesOf, minute, register } from "../support/webhooks.ts";

/** Holds for a body that has every field of its schema, in its type, and none besides. */
function expectDocumented(event: WebhookEvent, body: unknown) {
  expect(event.payload.parse(body)).toEqual(body);
}

describe("event catalogue [W2]", () => {
  it.each(eventNames)("%s reaches a receiver with exactly the documented fields", async (name) => {
    const here = await makeFilledWorkspace();
    const endpoint = await register(here, "status/200", { events: name });
    await makers[name](here);
    await minute();
    const requests = await arrived(endpoint);
    expect(requests).toHaveLength(1);
    const [request] = requests;
    expect(request?.headers["x-svc-event"]).toBe(name);
    expectDocumented(webhookEvents[name], JSON.parse(request?.body ?? ""));
    expect(request?.body).not.toMatch(/@|email/);
  });

  it.each(eventNames)("the example of %s is valid by its schema", (name) => {
    expectDocumented(webhookEvents[name], webhookEvents[name].example);
    expect(webhookEvents[name].example.event).toBe(name);
  });

  it("sample data never produces a delivery [W3]", async () => {
    const here = await makeFilledWorkspace();
    const endpoint = await register(here);
    await update("clients", here.clientId, { is_sample: 1 });
    for (const name of eventNames) await makers[name](here);
    await minute();
    expect(await deliveriesOf(endpoint)).toEqual([]);
  });
});
