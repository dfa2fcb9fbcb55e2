import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { unstable_splitSqlQuery } from "wrangler";
import type { Scenario } from "../bench.ts";
import { Database } from "../database.ts";
import { atMost } from "../report.ts";
import { compete } from "../rounds.ts";
import { workspace } from "../seed.ts";
import { lineOf, listRequest, measure, sendOne } from "./requests.ts";

/** A list through the front beside one that goes straight to the cell. Both Workers and the directory are one process. */
export const front: Scenario = async (bench) => {
  const { server, database } = bench;
  const directory = new Database(server.addressOf("directory"));
  await fillDirectory(directory);
  const contenders = (["front", "app"] as const).map((name) => ({
    name,
    measure: (seconds: number) => measure(bench, name, listRequest, 32, seconds),
  }));
  const standings = await compete(contenders, {
    rounds: 15,
    seconds: 2,
    progress: (text) => bench.progress(`front: ${text}`),
  });
  const trips = async (socket: "front" | "app") => {
    const send = () => sendOne(server, socket, listRequest);
    const ofCell = await database.used(async () => {
      const ofDirectory = await directory.used(send);
      if (ofDirectory.trips > 0) throw new Error("a remembered token was looked up in the directory");
    });
    return ofCell.trips;
  };
  const used = { front: await trips("front"), app: await trips("app") };
  const [through, direct] = standings;
  return {
    lines: standings.map((standing) =>
      lineOf(
        "front, list, 32 connections",
        standing,
        { trips: `${used[standing.name as "front" | "app"]} D1` },
        true,
      ),
    ),
    promises: [
      atMost("front: CPU ms more than direct", (through?.cpuMsEach ?? 0) - (direct?.cpuMsEach ?? 0), 1),
      atMost("front: trips more than direct", used.front - used.app, 0),
    ],
  };
};

async function fillDirectory(directory: Database): Promise<void> {
  const folder = join(import.meta.dirname, "..", "..", "src", "front", "migrations");
  for (const file of (await readdir(folder)).sort())
    for (const statement of unstable_splitSqlQuery(await readFile(join(folder, file), "utf8")))
      await directory.run(statement);
  const { organizationId, token } = workspace;
  await directory.run(
    `INSERT INTO organizations (id, cell, slug, name, plan, link_prefix, state)
      VALUES (?, 'a', 'bench', 'Bench', 'agency', 'AAAAAAAA', 'open')`,
    organizationId,
  );
  const hash = createHash("sha256").update(token).digest("hex");
  await directory.run("INSERT INTO api_tokens VALUES (?, ?)", hash, organizationId);
}
