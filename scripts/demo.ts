/**
 * `npm run demo` starts a server and walks through the main workflow. Exits with 0 only if every step succeeded.
 * `--cells 2` runs the server with two cells.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAdmin } from "./admin/connection.ts";
import { logAndBill } from "./demo/billing.ts";
import { workInCells } from "./demo/cells.ts";
import { connectExampleApp } from "./demo/connect.ts";
import { contextOf, type DemoContext } from "./demo/context.ts";
import { listEverything } from "./demo/lists.ts";
import { showRefusals } from "./demo/refusals.ts";
import { reviewPoster } from "./demo/review.ts";
import { createTokenByAdmin } from "./demo/token.ts";
import { demoWebhooks, listenForWebhooks } from "./demo/webhooks.ts";
import { readCellParameters } from "./local/cell-parameters.ts";
import { freePort } from "./local/port.ts";
import { serve } from "./local/serve.ts";
import { stateAt } from "./local/state.ts";
import { watchNpm } from "./local/watch-npm.ts";

const directory = mkdtempSync(join(tmpdir(), "partner-api-demo-"));
const state = stateAt(directory);
let close = async () => rmSync(directory, { recursive: true, force: true });

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end(1));
watchNpm(() => void end(1));

try {
  const { cells } = readCellParameters(process.argv.slice(2));
  const running = await serve(state, {
    port: await freePort(),
    parameters: ["--log-level", "error"],
    cells,
    onProgress: (progress) => console.log(`${progress} …`),
  });
  const remove = close;
  close = async () => {
    await running.stop();
    await remove();
  };
  const connection = await openAdmin(state);
  await play(contextOf(running.server, connection)).finally(() => connection.close());
  console.log("\nEvery step succeeded.");
  await end(0);
} catch (error) {
  console.error(`\n${(error as Error).message}`);
  await end(1);
}

async function play(context: DemoContext): Promise<void> {
  console.log(`\n${context.server.base_url}\n`);
  await createTokenByAdmin(context);
  const found = await listEverything(context);
  const receiver = await listenForWebhooks(context);
  await logAndBill(context, found);
  await workInCells(context);
  await reviewPoster(context, found);
  await demoWebhooks(context, receiver).finally(receiver.close);
  await connectExampleApp(context);
  await showRefusals(context, found);
}

async function end(code: number): Promise<never> {
  await close();
  process.exit(code);
}
