import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { RawRow } from "../../../src/db/query.ts";
import { webhookEvents } from "../../../src/webhooks/events.ts";
import { Event } from "../../../src/webhooks/feed/event.ts";
import { selectionOf } from "../../../src/webhooks/feed/event-selection.ts";
import { feedStart } from "../../../src/webhooks/feed/feed-position.ts";
import { feedPage } from "../../../src/webhooks/feed/read-feed.ts";

/**
 * Runs inside a copy of the repository with a recipe applied. Migrates a database, completes a project by SQL, and
 * prints the feed filtered by the event's name.
 */
const name = "project.completed";
const database = new DatabaseSync(":memory:");
for (const file of readdirSync("migrations").sort())
  database.exec(readFileSync(`migrations/${file}`, "utf8"));
database.exec(`
  INSERT INTO organizations (id, slug, name, plan) VALUES ('o', 'studio', 'Studio', 'agency');
  INSERT INTO members (id, organization_id, email, role) VALUES ('m', 'o', 'owner@studio.example', 'owner');
  INSERT INTO api_tokens (id, organization_id, name, token_hash, token_prefix, scopes, created_by)
    VALUES ('t', 'o', 'Reader', 'hash', 'svc_', '["deliverable:read"]', 'm');
  INSERT INTO webhook_endpoints (id, organization_id, url, events, secret_encrypted, created_by)
    VALUES ('e', 'o', 'https://receiver.example/', '["delivery"]', 'x', 'm');
  INSERT INTO clients (id, organization_id, company_name)
    VALUES ('0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10', 'o', 'Acme');
  INSERT INTO projects (id, organization_id, client_id, name, currency)
    VALUES ('2c7d6a1b-3e4f-4a5b-8c6d-7e8f9a0b1c17', 'o', '0b9c2c5e-7f3f-4a53-9a53-0c3f5b6f7d10', 'Relaunch', 'USD');
  UPDATE projects SET status = 'completed';
`);
const { sql, params, read } = feedPage(
  { tokenHash: "hash", after: feedStart, limit: 10 },
  selectionOf(name) ?? [],
);
const found = read(database.prepare(sql).all(...(params as SQLInputValue[])) as RawRow[]);
const deliveries = database.prepare("SELECT event FROM webhook_deliveries").all();
const events = found.events.map((event) => Event.parse(event));
const [declared] = Object.entries(webhookEvents).filter(([event]) => event === name);
const isDocumented = database
  .prepare("SELECT payload FROM events")
  .all()
  .every(({ payload }) => declared?.[1].payload.strict().safeParse(JSON.parse(String(payload))).success);
console.log(JSON.stringify({ events, deliveries, isDocumented, example: declared?.[1].example }));
