// Handle each event once, without a webhook. Pages: synchronize.md, listEvents.md, events.md
import assert from "node:assert/strict";
import { readJson, writeJson } from "./connect.mjs";

let place = "";
async function newEvents() {
  const events = [];
  for (let cursor = place; cursor !== null; ) {
    const page = await readJson(`/api-v1/events?limit=200${cursor && `&cursor=${cursor}`}`);
    events.push(...page.data);
    place = page.latest_cursor;
    cursor = page.next_cursor;
  }
  return events;
}
await newEvents();
const client = await writeJson("/api-v1/clients", { client_name: "Nora Wind", email: "nora@wind.example" });
const work = await writeJson("/api-v1/deliverables", {
  title: "Feed",
  client_id: client.id,
  embed_url: "https://www.example.com/feed",
});
await writeJson(`/api-v1/deliverables/${work.id}/send`, {});
const mine = (await newEvents()).filter(({ subject_id }) => subject_id === work.id);
assert.deepEqual(
  mine.map(({ event }) => event),
  ["deliverable.sent"],
);
assert.equal(mine[0].data.title, "Feed");
const again = (await newEvents()).filter(({ subject_id }) => subject_id === work.id);
assert.deepEqual(again, []);
console.log("done: one event, once");
