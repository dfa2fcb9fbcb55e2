// Keep a copy of all clients; the second run reads only what changed. Pages: synchronize.md, lists.md, listClients.md
import assert from "node:assert/strict";
import { listAll, writeJson } from "./connect.mjs";

const copy = new Map();
let newest = "";
async function synchronize() {
  let read = 0;
  for await (const client of listAll(
    `/api-v1/clients${newest && `?updated_since=${encodeURIComponent(newest)}`}`,
  )) {
    copy.set(client.id, client);
    if (client.updated_at > newest) newest = client.updated_at;
    read += 1;
  }
  return read;
}
const all = await synchronize();
const made = await writeJson("/api-v1/clients", { company_name: "Late arrival" });
const changed = await synchronize();
assert.ok(copy.has(made.id));
assert.ok(changed < all, `${changed} of ${all} were read again`);
console.log(`done: ${copy.size} clients, ${changed} read again`);
