import { describe, expect, it } from "vitest";
import { eventCategories } from "../../src/contract/closed-sets.ts";
import { type EventName, eventNames, webhookEvents } from "../../src/webhooks/events.ts";
import { type FilledWorkspace, makeFilledWorkspace, sql, update } from "../support/filled-workspace.ts";
import { makers } from "../support/makers.ts";

/** Every change that makes an event. */
async function everyTransition(here: FilledWorkspace) {
  for (const name of eventNames) await makers[name](here);
}

describe("all events", () => {
  it("are each made by a change of rows, with the category that they are declared with [W1]", async () => {
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

  it("have the payload that the catalogue documents, no field more or less [W4]", async () => {
    const here = await makeFilledWorkspace();
    await everyTransition(here);
    for (const body of await here.events()) {
      expect(webhookEvents[body.event as EventName].payload.parse(body), body.event).toEqual(body);
    }
  });

  it("never contain an e-mail address [W7]", async () => {
    const here = await makeFilledWorkspace();
    await everyTransition(here);
    for (const body of await here.events()) expect(JSON.stringify(body)).not.toContain("@");
  });

  it("write a whole amount without a fraction, for receivers that read it as an integer", async () => {
    const here = await makeFilledWorkspace();
    await everyTransition(here);
    const payloads = await sql<{ payload: string }>(
      "SELECT payload FROM events WHERE organization_id = ?",
      here.organizationId,
    );
    for (const { payload } of payloads) expect(payload).toBe(JSON.stringify(JSON.parse(payload)));
  });

  it("are never made of a sample client's data [W3]", async () => {
    const here = await makeFilledWorkspace();
    await update("clients", here.clientId, { is_sample: 1 });
    await everyTransition(here);
    expect(await here.events()).toEqual([]);
  });

  it("are never made of a sample deliverable", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.deliverable({ is_sample: 1 });
    await here.feedback(id);
    await here.send(id);
    await here.signOff(id);
    expect(await here.events()).toEqual([]);
  });

  it("are immutable, and old ones can be deleted", async () => {
    const here = await makeFilledWorkspace();
    await here.changeDecision({ status: "sent" });
    await expect(
      sql("UPDATE events SET payload = '{}' WHERE organization_id = ?", here.organizationId),
    ).rejects.toThrow("immutable");
    await sql("DELETE FROM events WHERE organization_id = ?", here.organizationId);
  });

  it("are not made of a change that was refused or rolled back", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.openInvoice(100);
    await expect(update("invoices", id, { status: "paid" })).rejects.toThrow();
    expect(await here.events()).toHaveLength(1);
  });
});
