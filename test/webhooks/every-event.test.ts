import { describe, expect, it } from "vitest";
import { eventCategories } from "../../src/contract/closed-sets.ts";
import type { WebhookEvent } from "../../src/core/events/event.ts";
import { eventNames, webhookEvents } from "../../src/webhooks/events.ts";
import { type FilledWorkspace, makeFilledWorkspace, sql, update } from "../support/filled-workspace.ts";
import { makers } from "../support/makers.ts";
import { arrived, minute, register } from "../support/webhooks.ts";

async function everyTransition(here: FilledWorkspace) {
  for (const name of eventNames) await makers[name](here);
}

function expectDocumented(event: WebhookEvent, body: unknown) {
  expect(event.payload.parse(body)).toEqual(body);
}

describe("all events", () => {
  it.each(eventNames)(
    "%s reaches a receiver with exactly the documented fields and no e-mail address [W2, W4, W7]",
    async (name) => {
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
    },
  );

  it.each(eventNames)("%s has an example that matches its schema", (name) => {
    expectDocumented(webhookEvents[name], webhookEvents[name].example);
    expect(webhookEvents[name].example.event).toBe(name);
  });

  it("are recorded for the declared row changes, with the declared category [W1]", async () => {
    const here = await makeFilledWorkspace();
    await everyTransition(here);
    const made = await sql<{ event: string; category: string }>(
      "SELECT DISTINCT event, category FROM events WHERE organization_id = ? ORDER BY event",
      here.organizationId,
    );
    const declared = Object.entries(webhookEvents).map(([event, { category }]) => ({ event, category }));
    expect(made).toEqual(declared.sort((a, b) => (a.event < b.event ? -1 : 1)));
    expect(new Set(made.map(({ category }) => category))).toEqual(new Set(eventCategories));
  });

  it("contain numbers in the form that JSON.stringify writes", async () => {
    const here = await makeFilledWorkspace();
    await everyTransition(here);
    const payloads = await sql<{ payload: string }>(
      "SELECT payload FROM events WHERE organization_id = ?",
      here.organizationId,
    );
    for (const { payload } of payloads) expect(payload).toBe(JSON.stringify(JSON.parse(payload)));
  });

  it("are never recorded for a sample client's data [W3]", async () => {
    const here = await makeFilledWorkspace();
    await update("clients", here.clientId, { is_sample: 1 });
    await everyTransition(here);
    expect(await here.events()).toEqual([]);
  });

  it("are never recorded for a sample deliverable", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable({ is_sample: 1 });
    await here.feedback(id);
    await here.send(id);
    await here.signOff(id);
    expect(await here.events()).toEqual([]);
  });

  it("are immutable until they are old enough to be deleted", async () => {
    const here = await makeFilledWorkspace();
    await here.changeDecision({ status: "sent" });
    await expect(
      sql("UPDATE events SET payload = '{}' WHERE organization_id = ?", here.organizationId),
    ).rejects.toThrow("immutable");
    await sql("DELETE FROM events WHERE organization_id = ?", here.organizationId);
  });

  it("are not recorded for a change that fails or is rolled back", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.openInvoice(100);
    await expect(update("invoices", id, { status: "paid" })).rejects.toThrow();
    expect(await here.events()).toHaveLength(1);
  });
});
