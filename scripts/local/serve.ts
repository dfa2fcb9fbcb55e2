/** Runs a local server: migrates the database, starts `wrangler dev`, and triggers the cron every minute. */
import { randomBytes } from "node:crypto";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../../src/contract/limits.ts";
import { sha256Hex } from "../../src/platform/digest.ts";
import { newSecret, secretHash } from "../../src/platform/secret.ts";
import { answers } from "../admin/connection.ts";
import { demoSlug } from "../demo-workspace.ts";
import { openCellPorts } from "./cell-ports.ts";
import { type CellStates, cellNames, writeConfigs } from "./cells.ts";
import { type Child, projectFolder, startChild, startWrangler, stop } from "./child.ts";
import { keepDemoUsage } from "./demo-usage.ts";
import { localGatewayKey, localStripeSecret, localWebhookSecretKey } from "./gateway-key.ts";
import { lockState, requireWritable } from "./lock-state.ts";
import { portProblem } from "./port.ts";
import { runMinute } from "./run-minute.ts";
import { announce, forgetTraces, type LocalServer, renewRegistry, type State, withdraw } from "./state.ts";

export interface RunningServer {
  server: LocalServer;
  /** Resolves with the exit code. */
  ended: Promise<number>;
  stop(): Promise<void>;
}

interface ServeOptions {
  port: number;
  parameters: readonly string[];
  cells?: number;
  cellStates?: CellStates;
  onProgress(progress: string): void;
  /** Extends the server's description before it is announced. */
  complete?(server: LocalServer): Promise<LocalServer>;
}

/** Starts the server. Throws an error with a message for the user. */
export async function serve(state: State, options: ServeOptions): Promise<RunningServer> {
  requireWritable(join(projectFolder, ".wrangler", "tmp"));
  const lock = lockState(state);
  try {
    const running = await serveLocked(state, options);
    const ended = running.ended.finally(() => lock.close());
    return { ...running, ended, stop: async () => void (await Promise.all([running.stop(), ended])) };
  } catch (error) {
    lock.close();
    throw error;
  }
}

async function serveLocked(
  state: State,
  {
    port,
    parameters,
    cells = 1,
    cellStates = {},
    onProgress,
    complete = async (server) => server,
  }: ServeOptions,
): Promise<RunningServer> {
  withdraw(state);
  const problem = await portProblem(port);
  if (problem !== undefined) throw new Error(problem);
  forgetTraces(state);
  const baseUrl = addressOf(port);
  const [token, link] = [`svc_${randomBytes(18).toString("hex")}`, newSecret()];
  const seeded = [
    String(cells),
    baseUrl,
    localWebhookSecretKey(parameters),
    sha256Hex(token),
    token.slice(0, limits.tokenPrefixCharacters),
    secretHash(link),
  ];
  // If this start is interrupted, the file makes the next one write the usage figures.
  const unfinished = join(state.directory, "demo-usage-missing");
  if (!existsSync(join(state.directory, "v3"))) writeFileSync(unfinished, "");
  const isNew = await prepareDatabase(state, seeded, onProgress);
  renewRegistry(state);
  onProgress(`Starting the server on port ${port}`);
  const given = ["--var", `DOCS_TOKEN:${token}`, ...parameters];
  const dev = startWrangler(devParameters(state, port, given, { cells, cellStates }), state);
  const { doors, servers } = await openCellPorts(cells > 1 ? cellNames(cells) : [], port);
  try {
    await untilItAnswers(dev, baseUrl);
    if (isNew || existsSync(unfinished)) await keepDemoUsage(state);
    rmSync(unfinished, { force: true });
    const server = await complete({
      base_url: baseUrl,
      apikey: localGatewayKey(parameters),
      token,
      organization: demoSlug,
      stripe_webhook_secret: localStripeSecret(parameters),
      ...(doors.length > 0 && { cells: doors }),
      sign_in_url: `${baseUrl}/sign-in/${link}`,
    });
    announce(state, server);
    const cron = scheduled(baseUrl);
    dev.show();
    const ended = dev.ended.finally(() => {
      cron.stop();
      for (const door of servers) door.close();
      withdraw(state);
    });
    return { server, ended, stop: () => stop(dev) };
  } catch (error) {
    await stop(dev);
    throw error;
  }
}

/**
 * Prepares the database in a separate process, which closes the database even if this process is killed. Returns
 * whether it created the demo workspace.
 */
async function prepareDatabase(
  state: State,
  seeded: readonly string[],
  onProgress: ServeOptions["onProgress"],
): Promise<boolean> {
  onProgress("Migrating the database");
  const script = join(import.meta.dirname, "prepare-database.ts");
  const preparing = startChild(script, [state.directory, ...seeded], state);
  let isNew = false;
  let failed: string | undefined;
  preparing.process.on("message", (said) => {
    if (said === "made") isNew = true;
    else if (said === "migrated") onProgress("Preparing the demo workspace");
    else failed = (said as { failed: string }).failed;
  });
  if ((await preparing.ended) === 0) return isNew;
  if (failed !== undefined)
    throw new Error(
      `The database of ${state.directory} was created by an earlier version and cannot be upgraded to this one: ` +
        `${failed}. ` +
        "Start with a new state (STATE_DIR=.wrangler/fresh npm start), or delete this one.",
    );
  throw new Error(`The database of ${state.directory} could not be prepared:\n${preparing.output()}`);
}

/** Also the base URL of links in e-mails, so that they lead to this server. */
const addressOf = (port: number) => `http://127.0.0.1:${port}`;

export function devParameters(
  state: State,
  port: number,
  given: readonly string[],
  { cells = 1, cellStates = {} }: Pick<ServeOptions, "cells" | "cellStates"> = {},
): string[] {
  const isGiven = (name: string) => given.some((word) => word === name || word.startsWith(`${name}=`));
  const defaults: [string, string][] = [
    ["--port", String(port)],
    ["--ip", "127.0.0.1"],
    ["--inspector-port", "0"],
    ["--persist-to", state.directory],
    ["--show-interactive-dev-session", "false"],
  ];
  const vars = [
    "--var",
    "ALLOW_LOCAL_WEBHOOK_TARGETS:true",
    "--var",
    `APPLICATION_URL:${addressOf(port)}`,
    ...given,
  ];
  const configs = cells > 1 ? writeConfigs(state, cells, cellStates, vars) : [];
  return [
    "dev",
    ...(cells > 1 ? configs.flatMap((path) => ["--config", path]) : ["scripts/local/development/worker.ts"]),
    ...defaults.flatMap(([name, value]) => (isGiven(name) ? [] : [name, value])),
    ...vars,
  ];
}

const startWithinMs = 120_000;
const pollMs = 100;
const answerWithinMs = 5_000;

async function untilItAnswers(dev: Child, baseUrl: string): Promise<void> {
  let hasEnded = false;
  dev.ended.then(() => {
    hasEnded = true;
  });
  for (const until = Date.now() + startWithinMs; Date.now() < until; ) {
    if (hasEnded) throw new Error(`wrangler dev ended while it started:\n${dev.output()}`);
    if (await answers(baseUrl, answerWithinMs)) return;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw new Error(`No response from the server at ${baseUrl}:\n${dev.output()}`);
}

const minuteMs = 60_000;

/** Triggers the cron at the start of each minute. */
function scheduled(baseUrl: string): { stop(): void } {
  let timer: NodeJS.Timeout;
  const next = () => {
    timer = setTimeout(fire, minuteMs - (Date.now() % minuteMs));
  };
  const fire = async () => {
    next();
    await runMinute(baseUrl).catch(() => {});
  };
  next();
  return { stop: () => clearTimeout(timer) };
}
