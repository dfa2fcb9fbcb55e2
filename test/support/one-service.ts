import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { openAdmin } from "../../scripts/admin/connection.ts";
import { stateAt } from "../../scripts/local/state.ts";
import { startService, stateDirectory } from "../operations/service.ts";
import { openPort } from "./open-port.ts";

declare module "vitest" {
  interface ProvidedContext {
    /**
     * A URL that responds to a GET with the service's STATE_DIR once it is running, and to a POST with the outcome of
     * an admin operation.
     */
    oneService: string;
  }
}

const root = join(import.meta.dirname, "..", "..");

/** Raises the largest plan's limit, because the test files together exceed it. */
async function raiseLimit(directory: string): Promise<void> {
  const command = "UPDATE plans SET requests_per_minute = 100000 WHERE name = 'agency'";
  const here = ["--local", "--persist-to", directory, "--command", command];
  const wrangler = join(root, "node_modules", ".bin", "wrangler");
  await promisify(execFile)(wrangler, ["d1", "execute", "DB", ...here], { cwd: root });
}

/** Provides one `npm start` service for all files that need it (`openService`), started on first use. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const state = stateDirectory();
  const start = async () => {
    const service = await startService(state.directory);
    await raiseLimit(state.directory);
    return { service, connection: await openAdmin(stateAt(state.directory)) };
  };
  let started: ReturnType<typeof start> | undefined;
  const answer = async (text: string) => {
    started ??= start();
    const { connection } = await started;
    if (text === "") return { stateDirectory: state.directory };
    const { operation, fields } = JSON.parse(text);
    return connection.run(operation, fields);
  };
  const server = createServer(async (request, response) => {
    // A keep-alive connection could be closed just as a test file sends its next request.
    response.setHeader("connection", "close");
    let text = "";
    for await (const chunk of request) text += chunk;
    await answer(text).then(
      (found) => response.end(JSON.stringify(found)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  project.provide("oneService", await openPort(server));
  return async () => {
    server.closeAllConnections();
    server.close();
    const running = await started?.catch(() => undefined);
    await running?.connection.close();
    const code = await running?.service.end("SIGTERM");
    state.remove();
    if (running && code !== 0) throw new Error(`npm start ended with ${code} by SIGTERM`);
  };
}
