/** A partner's process: follows the feed into a SQLite file. FEED, DATABASE, PORT, SECRET. */
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { partnerApi } from "../../client/src/index.ts";
import { sqliteStore } from "../../client/src/stores/sqlite.ts";

const { FEED = "", DATABASE = "", PORT, SECRET = "" } = process.env;
const database = new DatabaseSync(DATABASE);
const api = partnerApi({ baseUrl: FEED, apikey: "pk", token: "svc", webhookSecret: SECRET });

const following = api.events.follow({
  store: sqliteStore(database),
  pollSeconds: 1,
  handle: async (event, transaction) => {
    transaction.prepare("INSERT INTO work (event_id, record) VALUES (?, ?)").run(event.id, event.subject_id);
    // Kills hit between the work and its commit, too.
    await sleep(1);
  },
});

createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  await following.receive(body, request.headers);
  response.writeHead(204).end();
}).listen(Number(PORT), "127.0.0.1");
