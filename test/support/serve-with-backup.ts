import { openAdmin } from "../../scripts/admin/connection.ts";
import { freePort } from "../../scripts/local/port.ts";
import { type RunningServer, serve } from "../../scripts/local/serve.ts";
import { type State, stateAt } from "../../scripts/local/state.ts";

/** Starts a local service and waits for its nightly backup. */
export async function serveWithBackup(directory: string): Promise<RunningServer> {
  const state = stateAt(directory);
  const running = await serve(state, {
    port: await freePort(),
    parameters: ["--log-level", "error", "--var", "BACKUP_HOUR:0"],
    onProgress: () => {},
  });
  try {
    await makeBackup(running, state);
    return running;
  } catch (error) {
    await running.stop();
    throw error;
  }
}

async function makeBackup({ server }: RunningServer, state: State): Promise<void> {
  const connection = await openAdmin(state);
  try {
    for (let tries = 0; tries < 60; tries += 1) {
      const fired = `${server.base_url}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`;
      await (await fetch(fired, { method: "POST" })).text();
      const outcome = await connection.run("list-backup-files", { after: "2" });
      const { files } = (outcome as { result: { files: { name: string }[] } }).result;
      if (files.some(({ name }) => name.endsWith("/pages"))) return;
    }
  } finally {
    await connection.close();
  }
  throw new Error("the night's copy did not end");
}
