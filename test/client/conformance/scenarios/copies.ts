import assert from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import { Model, type ModelClient, momentAt, seeded, unreliable } from "../model.ts";
import { type ClientScenario, errorOf, resultOf, type Stage, until } from "../stage.ts";

/** Serves a model whose records changed one second apart, with a client and a database for the copy. */
async function copied(stage: Stage, records: number) {
  const model = new Model();
  for (let count = 0; count < records; count++) model.write(`Client ${count}`, count * 1000);
  const { client, asked } = await stage.serve(model.reply);
  const { file, database } = stage.database();
  const store = { file, name: "clients", table: "copy" };
  return { model, client, asked, database, store, sync: () => stage.ask("sync", client, { store }) };
}

const copyIn = (database: DatabaseSync) =>
  database
    .prepare("SELECT id, name, updated_at FROM copy ORDER BY updated_at, id")
    .all()
    .map((row) => ({ ...row }));

const countIn = (database: DatabaseSync) =>
  Number(database.prepare("SELECT count(*) AS rows FROM copy").get()?.rows);

const plain = (rows: ModelClient[]) => rows.map(({ id, name, updated_at }) => ({ id, name, updated_at }));

export const copyScenarios: ClientScenario[] = [
  {
    promise: "Copies every record in as few pages as possible",
    async run(stage) {
      const { model, asked, database, sync } = await copied(stage, 450);
      resultOf(await sync());
      assert.deepEqual(copyIn(database), plain(model.rows));
      assert.deepEqual(
        asked.map(({ url }) => url.searchParams.get("limit")),
        ["200", "200", "200"],
      );
    },
  },
  {
    promise: "Requests only later changes in the next run, with an overlap of 10 seconds",
    async run(stage) {
      const { model, asked, database, sync } = await copied(stage, 30);
      resultOf(await sync());
      model.write("Another name", 40_000, "client-0003");
      resultOf(await sync());
      assert.deepEqual(copyIn(database), plain(model.rows));
      assert.deepEqual(
        asked.map(({ url }) => url.searchParams.get("updated_since")),
        [null, momentAt(19_000)],
      );
    },
  },
  {
    promise: "Does not move the position if nothing has changed",
    async run(stage) {
      const { asked, sync } = await copied(stage, 3);
      for (const _ of Array(4)) resultOf(await sync());
      const since = asked.map(({ url }) => url.searchParams.get("updated_since"));
      assert.deepEqual(since, [null, momentAt(-8000), momentAt(-8000), momentAt(-8000)]);
    },
  },
  {
    promise: "Copies the final state of a record that changes during the copy",
    async run(stage) {
      const model = new Model();
      for (let count = 0; count < 250; count++) model.write(`Client ${count}`, count * 1000);
      const { client } = await stage.serve((asked, count) => {
        if (count === 2) model.write("Another name", 300_000, "client-0003");
        return model.reply(asked);
      });
      const { file, database } = stage.database();
      resultOf(await stage.ask("sync", client, { store: { file, name: "clients", table: "copy" } }));
      assert.deepEqual(copyIn(database), plain(model.rows));
    },
  },
  {
    promise: "Saves nothing of a page if a write fails, and begins with the same page next time",
    async run(stage) {
      const { model, client, asked, database, store, sync } = await copied(stage, 250);
      const error = errorOf(await stage.ask("sync", client, { store, failAt: "client-0220" }));
      assert.equal(error.message, "the disk is full");
      assert.equal(copyIn(database).length, 200);
      resultOf(await sync());
      assert.deepEqual(copyIn(database), plain(model.rows));
      assert.equal(asked.at(-1)?.url.searchParams.get("updated_since"), momentAt(189_000));
    },
  },
  {
    promise: "Completes the copy even if the process is killed repeatedly and the network is unreliable",
    async run(stage) {
      const model = new Model();
      for (let count = 0; count < 700; count++) model.write(`Client ${count}`, count * 1000);
      const { client } = await stage.serve(unreliable(model, seeded(5)), { maxRetries: 30 });
      const { file, database } = stage.database();
      const store = { file, name: "clients", table: "copy" };
      for (let page = 1; page <= 3; page++) {
        const driver = stage.spawn();
        driver.start({ do: "sync", client, store, slow: true });
        await until(() => countIn(database) >= page * 190);
        await driver.kill();
      }
      resultOf(await stage.ask("sync", client, { store }));
      assert.deepEqual(copyIn(database), plain(model.rows));
    },
  },
  {
    promise: "Rejects a store that contains the position for other records",
    async run(stage) {
      const { database, sync, asked } = await copied(stage, 3);
      resultOf(await sync());
      database.exec("UPDATE partner_api_cursors SET cursor = replace(cursor, 'clients', 'projects')");
      const { isOurs, message } = errorOf(await sync());
      const expected =
        "This store holds the position for /api-v1/projects. Use another store for /api-v1/clients";
      assert.deepEqual([isOurs, message, asked.length], [false, expected, 1]);
    },
  },
];
