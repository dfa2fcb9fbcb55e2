import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { unstable_splitSqlQuery } from "wrangler";
import type { Scenario } from "../bench.ts";
import { Database } from "../database.ts";
import { atMost } from "../report.ts";
import { compete } from "../rounds.ts";
import { workspace } from "../seed.ts";
import { listRequest, measure, sendOne, standingLine } from "./requests.ts";

/**
 * Compares a list through the front with a direct request to the cell. The directory is in the same process in both
 * cases.
 */
export const front: Scenario = async (bench) => {
  const { server, database } = bench;
  const directory = new Database(server.addressOf("directory"));
  await fillDirectory(directory);
  const used = { front: await trips("front"), app: await trips("app") };
  const contenders = (["front", "app"] as const).map((name) => ({
    name,
    measure: (seconds: number) => measure(bench, name, listRequest, 32, seconds),
  }));
  const standings = await compete(contenders, {
    rounds: 15,
    seconds: 2,
    progress: (text) => bench.progress(`front: ${text}`),
  });
  const [through, direct] = standings;
  return {
    lines: standings.map((standing) =>
      standingLine(
        "front, list, 32 connections",
        standing,
        { trips: `${used[standing.name as "front" | "app"]} D1` },
        true,
      ),
    ),
    promises: [
      atMost("front: CPU ms more than direct", ((through?.cpuRatio ?? 1) - 1) * (direct?.cpuMsEach ?? 0), 1),
      atMost("front: trips more than direct", used.front - used.app, 0),
    ],
  };

  /** The second request's round trips to the cell's database and to the directory. */
  async function trips(socket: "front" | "app"): Promise<number> {
    await sendOne(server, socket, listRequest);
    await wait(settledMs);
    const send = () => sendOne(server, socket, listRequest);
    let ofDirectory = 0;
    const ofCell = await database.used(async () => {
      ofDirectory = (await directory.used(send)).trips;
    });
    return ofCell.trips + ofDirectory;
  }
};

/** By then, work after the response has finished. */
const settledMs = 1_500;

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
