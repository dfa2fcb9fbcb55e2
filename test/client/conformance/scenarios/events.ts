import assert from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import { Webhook } from "standardwebhooks";
import { Model, seeded, unreliable } from "../model.ts";
import type { Driver, DriverOutcome } from "../protocol.ts";
import type { ReceivedRequest, Script } from "../service.ts";
import {
  type ClientGiven,
  type ClientScenario,
  errorOf,
  pause,
  resultOf,
  type Stage,
  until,
} from "../stage.ts";

const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;

/** Serves a model with events, with a client and a database for the events it has handled. */
async function followed(stage: Stage, events: number, serve = (model: Model): Script => model.reply) {
  const model = new Model();
  for (let count = 0; count < events; count++) model.commit();
  const { client, asked } = await stage.serve(serve(model), { webhookSecret: secret });
  const { file, database } = stage.database();
  return { model, client, asked, database, store: { file, name: "events", table: "work" } };
}

const handledIn = (database: DatabaseSync) =>
  database
    .prepare("SELECT event_id FROM work ORDER BY number")
    .all()
    .map(({ event_id }) => String(event_id));

const cursors = (asked: { url: URL }[]) => asked.map(({ url }) => url.searchParams.get("cursor"));

const countIn = (database: DatabaseSync) =>
  Number(database.prepare("SELECT count(*) AS rows FROM work").get()?.rows);

export const catchUpScenarios: ClientScenario[] = [
  {
    promise: "Handles every event once and in order across pages and calls",
    async run(stage) {
      const { model, client, asked, database, store } = await followed(stage, 120);
      for (const _ of ["once", "again"]) resultOf(await stage.ask("catchUp", client, { store }));
      model.commit();
      resultOf(await stage.ask("catchUp", client, { store }));
      assert.deepEqual(handledIn(database), model.events);
      assert.deepEqual(cursors(asked), [null, "after-50", "after-100", "after-120", "after-120"]);
    },
  },
  {
    promise: "Requests each page with the same filters",
    async run(stage) {
      const { client, asked, store } = await followed(stage, 60);
      const feed = { types: ["invoice.paid", "delivery"], updated_since: "2026-01-01T00:00:00Z" };
      resultOf(await stage.ask("catchUp", client, { store, feed }));
      const filters = asked.map(({ url }) => [
        url.searchParams.get("types"),
        url.searchParams.get("updated_since"),
      ]);
      assert.deepEqual(filters, Array(2).fill(["invoice.paid,delivery", feed.updated_since]));
    },
  },
  {
    promise: "Begins at the given cursor if the store does not have one yet",
    async run(stage) {
      const { model, client, database, store } = await followed(stage, 3);
      for (const _ of ["once", "again"]) {
        resultOf(await stage.ask("catchUp", client, { store, feed: { cursor: "after-2" } }));
      }
      assert.deepEqual(handledIn(database), model.events.slice(2));
    },
  },
  {
    promise: "Writes nothing for an event if the handler fails, and begins with the same event next time",
    async run(stage) {
      const { model, client, database, store } = await followed(stage, 3);
      const failAt = model.events[1] ?? "";
      const error = errorOf(await stage.ask("catchUp", client, { store, failAt }));
      assert.deepEqual([error.isOurs, error.message], [false, "the disk is full"]);
      assert.deepEqual(handledIn(database), model.events.slice(0, 1));
      resultOf(await stage.ask("catchUp", client, { store }));
      assert.deepEqual(handledIn(database), model.events);
    },
  },
  {
    promise: "Handles no event twice even if the cursor is deleted",
    async run(stage) {
      const { model, client, database, store } = await followed(stage, 60);
      resultOf(await stage.ask("catchUp", client, { store }));
      database.exec("DELETE FROM partner_api_cursors");
      model.commit();
      resultOf(await stage.ask("catchUp", client, { store }));
      assert.deepEqual(handledIn(database), model.events);
    },
  },
  {
    promise: "Stores a separate position for each follower of a database",
    async run(stage) {
      const { model, client, database, store } = await followed(stage, 2);
      for (const name of ["one", "another"])
        resultOf(await stage.ask("catchUp", client, { store: { ...store, name } }));
      assert.deepEqual(handledIn(database), [...model.events, ...model.events]);
    },
  },
  {
    promise: "Deletes the ids of handled events after 31 days",
    async run(stage) {
      const { model, client, database, store } = await followed(stage, 1);
      resultOf(await stage.ask("catchUp", client, { store }));
      const old = database.prepare(
        "INSERT INTO partner_api_handled VALUES ('events', ?, datetime('now', ?))",
      );
      old.run("31 days less an hour", "-743 hours");
      old.run("31 days and an hour", "-745 hours");
      model.commit();
      resultOf(await stage.ask("catchUp", client, { store }));
      const kept = database.prepare("SELECT event_id FROM partner_api_handled").all();
      const ids = kept.map(({ event_id }) => String(event_id)).sort();
      assert.deepEqual(ids, ["31 days less an hour", ...model.events]);
    },
  },
  {
    promise: "Continues in the same database where a client in another language stopped",
    async run(stage) {
      const { model, client, database, store } = await followed(stage, 10);
      for (const driver of [stage.driver, ...stage.others, stage.driver]) {
        resultOf(await driver.start({ do: "catchUp", client, store }).outcome);
        for (let count = 0; count < 10; count++) model.commit();
      }
      assert.deepEqual(handledIn(database), model.events.slice(0, -10));
    },
  },
];

function delivery(by = secret) {
  const [id, at, body] = ["delivery", new Date(), '{"event":"invoice.paid","data":{}}'];
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(by).sign(id, at, body),
  };
  return { raw: Buffer.from(body).toString("base64"), headers };
}

const secretOfOthers = `whsec_${Buffer.alloc(32, 2).toString("base64")}`;

export const followScenarios: ClientScenario[] = [
  {
    promise: "Long-polls for the next event",
    async run(stage) {
      const serve = (model: Model) => model.replyWaiting;
      const { model, client, asked, database, store } = await followed(stage, 0, serve);
      const following = { do: "follow", client, store, feed: { pollSeconds: 3600 } };
      const first = stage.driver.start(following);
      await until(() => asked.length === 1);
      model.commit();
      await until(() => handledIn(database).length === 1);
      await pause(200);
      assert.equal(asked.length, 1);
      await stage.ask("stop", client, { follower: first.id });
      const second = stage.driver.start(following);
      await until(() => asked.length === 2);
      await stage.ask("stop", client, { follower: second.id });
      for (const { outcome } of [first, second]) resultOf(await outcome);
      assert.deepEqual(handledIn(database), model.events);
    },
  },
  {
    promise: "Polls if the service does not support long polling",
    async run(stage) {
      const refused = { status: 400, body: { error: "wait is not a known parameter" } };
      const serve = (model: Model) => (request: ReceivedRequest) =>
        request.url.searchParams.has("wait") ? refused : model.reply(request);
      const { model, client, asked, database, store } = await followed(stage, 0, serve);
      const { id, outcome } = stage.driver.start({
        do: "follow",
        client,
        store,
        feed: { pollSeconds: 0.05 },
      });
      await until(() => asked.length > 3);
      model.commit();
      await until(() => handledIn(database).length === 1);
      await stage.ask("stop", client, { follower: id });
      resultOf(await outcome);
      assert.equal(asked.filter(({ url }) => url.searchParams.has("wait")).length, 1);
    },
  },
  {
    promise: "Reads the feed immediately after an authentic delivery, but not after a forged delivery",
    async run(stage) {
      const { model, client, asked, database, store } = await followed(stage, 0);
      const { id, outcome } = stage.driver.start({
        do: "follow",
        client,
        store,
        feed: { pollSeconds: 3600 },
      });
      await until(() => asked.length === 1);
      model.commit();
      await pause(100);
      const forged = await stage.ask("receive", client, { follower: id, ...delivery(secretOfOthers) });
      assert.equal(errorOf(forged).name, "WebhookVerificationError");
      await pause(100);
      assert.equal(asked.length, 1);
      resultOf(await stage.ask("receive", client, { follower: id, ...delivery() }));
      await until(() => handledIn(database).length === 1);
      await stage.ask("stop", client, { follower: id });
      resultOf(await outcome);
      assert.equal(asked.length, 2);
    },
  },
  {
    promise: "Polls after the configured interval if no delivery arrives",
    async run(stage) {
      const { model, client, asked, database, store } = await followed(stage, 0);
      const { id, outcome } = stage.driver.start({
        do: "follow",
        client,
        store,
        feed: { pollSeconds: 0.05 },
      });
      await until(() => asked.length > 2);
      model.commit();
      await until(() => handledIn(database).length === 1);
      await stage.ask("stop", client, { follower: id });
      resultOf(await outcome);
    },
  },
  {
    promise: "Continues after an outage, but stops after an error that is not retryable",
    async run(stage) {
      const script = ["cut", { status: 503 }, { status: 401, body: { error: "no" } }] as const;
      const { client } = await stage.serve(script, { maxRetries: 0 });
      const { file } = stage.database();
      const store = { file, name: "events", table: "work" };
      const outcome = await stage.ask("follow", client, { store, feed: { pollSeconds: 0.01 } });
      assert.deepEqual(
        [errorOf(outcome).name, outcome.outages],
        ["AuthenticationError", ["ConnectionError", "RefusedError"]],
      );
    },
  },
  {
    promise: "Waits for a Retry-After of any length, even if a delivery arrives",
    async run(stage) {
      const down = { status: 503, headers: { "retry-after": "7200" } };
      const { client, asked } = await stage.serve([down], { webhookSecret: secret });
      const { file } = stage.database();
      const store = { file, name: "events", table: "work" };
      const { id, told, outcome } = stage.driver.start({
        do: "follow",
        client,
        store,
        feed: { pollSeconds: 0.01 },
      });
      await until(() => told.outages.length === 1);
      resultOf(await stage.ask("receive", client, { follower: id, ...delivery() }));
      await pause(300);
      assert.equal(asked.length, 1);
      await stage.ask("stop", client, { follower: id });
      resultOf(await outcome);
    },
  },
  {
    promise:
      "Handles each event once and in order, even with kills, a second process and an unreliable network",
    async run(stage) {
      const model = new Model();
      const { client } = await stage.serve(unreliable(model, seeded(14)), { webhookSecret: secret });
      const { file, database } = stage.database();
      const store = { file, name: "events", table: "work" };
      const start = (driver: Driver) =>
        driver.start({ do: "follow", client, store, feed: { pollSeconds: 0.1 } });
      // A second follower runs throughout, as during a rollout.
      start(stage.spawn());
      await killedWhileFollowing({ stage, model, start, done: () => countIn(database), client });
      assert.deepEqual(handledIn(database), model.events);
    },
  },
];

interface Killing {
  stage: Stage;
  model: Model;
  client: ClientGiven;
  start(driver: Driver): { id: number; outcome: Promise<DriverOutcome> };
  done(): number;
}

const [kills, eventsPerKill] = [5, 25];

async function killedWhileFollowing({ stage, model, client, start, done }: Killing): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    const driver = stage.spawn();
    const { id } = start(driver);
    const before = done();
    for (let count = 0; count < eventsPerKill; count++) model.commit();
    driver.start({ do: "receive", client, follower: id, ...delivery() });
    await until(() => done() >= before + 5);
    await driver.kill();
  }
  await until(() => done() >= model.events.length);
}
