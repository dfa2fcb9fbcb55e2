import { describe, expect, it } from "vitest";
import { type EventName, webhookEvents } from "../../src/contract/events.ts";
import { type FilledWorkspace, makeFilledWorkspace, sql, update } from "./workspace.ts";

/** Every transition that makes an event, on the data of one client. */
async function everyTransition(
  here: FilledWorkspace,
  project_id: string,
  client_id: string,
  deliverableValues = {},
) {
  const id = await here.deliverable({ client_id, project_id, ...deliverableValues });
  await here.feedback(id);
  await here.send(id);
  await here.signOff(id);
  const invoice = await here.openInvoice(100, { client_id, project_id });
  await update("invoices", invoice, { status: "overdue" });
  await here.pay(invoice, 100);
  await here.takeBack(invoice, 40);
  await here.takeBack(invoice, 60, "dispute");
  await here.takeBack(invoice, -60, "dispute_won");
  for (const end of ["signed", "declined"]) {
    const order = await here.changeOrder({ project_id, status: "sent" });
    await update("change_orders", order, { status: end });
  }
  await here.changeDecision({ project_id, status: "sent" });
  await here.deposit({ project_id, status: "cleared" });
}

describe("all events", () => {
  it("are in the catalogue with their category, and each has a transition that makes it", async () => {
    const here = await makeFilledWorkspace();
    await everyTransition(here, here.projectId, here.clientId);
    const made = new Set((await here.events()).map(({ event }) => event));
    const known = await sql<{ name: string; category: string }>("SELECT * FROM event_types");
    expect([...made].sort()).toEqual(known.map(({ name }) => name).sort());
    expect(Object.fromEntries(known.map(({ name, category }) => [name, category]))).toEqual(
      Object.fromEntries(Object.entries(webhookEvents).map(([name, { category }]) => [name, category])),
    );
  });

  it("have the payload that the catalogue documents, no field more or less", async () => {
    const here = await makeFilledWorkspace();
    await everyTransition(here, here.projectId, here.clientId);
    for (const body of await here.events()) {
      expect(webhookEvents[body.event as EventName].payload.parse(body), body.event).toEqual(body);
    }
  });

  it("never contain an e-mail address", async () => {
    const here = await makeFilledWorkspace();
    await everyTransition(here, here.projectId, here.clientId);
    for (const body of await here.events()) expect(JSON.stringify(body)).not.toContain("@");
  });

  it("write a whole amount without a fraction, for receivers that read it as an integer", async () => {
    const here = await makeFilledWorkspace();
    await everyTransition(here, here.projectId, here.clientId);
    const payloads = await sql<{ payload: string }>(
      "SELECT payload FROM events WHERE organization_id = ?",
      here.organizationId,
    );
    for (const { payload } of payloads) expect(payload).toBe(JSON.stringify(JSON.parse(payload)));
  });

  it("are never made of a sample client's data", async () => {
    const here = await makeFilledWorkspace();
    const client_id = await here.client({ is_sample: 1 });
    await everyTransition(here, await here.project({ client_id }), client_id);
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
    ).rejects.toThrow("an event is immutable");
    await sql("DELETE FROM events WHERE organization_id = ?", here.organizationId);
  });

  it("are not made of a change that was refused or rolled back", async () => {
    const here = await makeFilledWorkspace();
    const id = await here.openInvoice(100);
    await expect(update("invoices", id, { status: "paid" })).rejects.toThrow();
    expect(await here.events()).toHaveLength(1);
  });
});
