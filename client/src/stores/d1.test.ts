import { env } from "cloudflare:workers";
import { beforeAll, expect, it, vi } from "vitest";
import { d1Store, d1StoreTables } from "./d1.ts";

beforeAll(async () => {
  const tables = `${d1StoreTables}CREATE TABLE partner_work (event_id TEXT) STRICT;`;
  await env.DB.batch(tables.split(";\n").flatMap((sql) => (sql.trim() ? [env.DB.prepare(sql)] : [])));
});

const workOf = async (event: string) =>
  (await env.DB.prepare("SELECT event_id FROM partner_work WHERE event_id = ?").bind(event).all()).results
    .length;

const insert = (event: string) => env.DB.prepare("INSERT INTO partner_work VALUES (?)").bind(event);

it("stores each follower's last cursor", async () => {
  const store = d1Store(env.DB, "mine");
  expect(await store.cursor()).toBeNull();
  await store.advance("after-1");
  await store.advance("after-2");
  expect(await store.cursor()).toBe("after-2");
  expect(await d1Store(env.DB, "another").cursor()).toBeNull();
  await d1Store(env.DB).advance("after-3");
  expect(await d1Store(env.DB, "events").cursor()).toBe("after-3");
  await expect(store.advance(null as never)).rejects.toThrow("NOT NULL");
});

it("commits an event's statements once, even when it is handled concurrently", async () => {
  const store = d1Store(env.DB);
  const write = vi.fn((statements: D1PreparedStatement[]) => statements.push(insert("twice")));
  await Promise.all(Array.from({ length: 10 }, () => store.once("twice", write)));
  const calls = write.mock.calls.length;
  await store.once("twice", write);
  expect([await workOf("twice"), write.mock.calls.length]).toEqual([1, calls]);
  await d1Store(env.DB, "another").once("twice", write);
  expect(await workOf("twice")).toBe(2);
});

it("writes nothing if a handler fails, and runs the handler again on the next attempt", async () => {
  const store = d1Store(env.DB);
  const broken = (statements: D1PreparedStatement[]) =>
    statements.push(insert("again"), env.DB.prepare("INSERT INTO no_such_table VALUES (1)"));
  await expect(store.once("again", broken)).rejects.toThrow("no_such_table");
  await expect(store.once("again", () => Promise.reject(new Error("not yet")))).rejects.toThrow("not yet");
  expect(await workOf("again")).toBe(0);
  await store.once("again", (statements) => statements.push(insert("again")));
  expect(await workOf("again")).toBe(1);
});

it("commits a copied page and its position in one transaction", async () => {
  const store = d1Store(env.DB, "clients");
  await store.keep("one page", (statements) => statements.push(insert("a record")));
  const broken = (statements: D1PreparedStatement[]) =>
    statements.push(insert("another record"), env.DB.prepare("INSERT INTO no_such_table VALUES (1)"));
  await expect(store.keep("two pages", broken)).rejects.toThrow("no_such_table");
  expect([await store.cursor(), await workOf("a record"), await workOf("another record")]).toEqual([
    "one page",
    1,
    0,
  ]);
});

it("deletes event ids that are too old to be redelivered", async () => {
  const store = d1Store(env.DB, "old");
  await store.once("recent", () => {});
  const old = "INSERT INTO partner_api_handled VALUES ('old', ?, datetime('now', ?))";
  await env.DB.batch([
    env.DB.prepare(old).bind("31 days less an hour", "-743 hours"),
    env.DB.prepare(old).bind("31 days and an hour", "-745 hours"),
  ]);
  await store.advance("after-3");
  const kept = await env.DB.prepare("SELECT event_id FROM partner_api_handled WHERE name = 'old'").all();
  expect(kept.results.map(({ event_id }) => event_id).sort()).toEqual(["31 days less an hour", "recent"]);
});
