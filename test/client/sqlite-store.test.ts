import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { sqliteStore } from "../../client/src/stores/sqlite.ts";

const empty = () => {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE work (event_id TEXT)");
  return database;
};
const insert = (event: string) => (transaction: DatabaseSync) =>
  transaction.prepare("INSERT INTO work VALUES (?)").run(event);
const workIn = (database: DatabaseSync) =>
  database
    .prepare("SELECT event_id FROM work")
    .all()
    .map(({ event_id }) => event_id);

it("the SQLite store commits an event's writes once, and none of them if the handler fails", async () => {
  const database = empty();
  const store = sqliteStore(database);
  await store.once("one", insert("one"));
  await store.once("one", insert("one"));
  const failing = (transaction: DatabaseSync) => {
    insert("two")(transaction);
    return Promise.reject(new Error("not yet"));
  };
  await expect(store.once("two", failing)).rejects.toThrow("not yet");
  const rolledBack = (transaction: DatabaseSync) => {
    transaction.exec("ROLLBACK");
    throw new Error("the disk is full");
  };
  await expect(store.once("two", rolledBack)).rejects.toThrow("the disk is full");
  expect(workIn(database)).toEqual(["one"]);
  await store.once("two", insert("two"));
  await sqliteStore(database, "another").once("one", insert("another's one"));
  expect(workIn(database)).toEqual(["one", "two", "another's one"]);
});

it("the SQLite store sets a busy timeout and accepts bigint results", async () => {
  const database = new DatabaseSync(":memory:", { readBigInts: true });
  database.exec("CREATE TABLE work (event_id TEXT)");
  await sqliteStore(database).once("one", insert("one"));
  expect(workIn(database)).toEqual(["one"]);
  expect(database.prepare("PRAGMA busy_timeout").get()).toEqual({ timeout: 10_000n });
});
