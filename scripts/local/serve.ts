/** A local server, from migrations to the minute cron. */
import { type AdminConnection, answers, isServing, openAdmin } from "../admin/connection.ts";
import { isTaken } from "./port.ts";
import { announce, forgetRegistry, type LocalServer, type State, withdraw } from "./state.ts";
import { stop, type WranglerProcess, wrangler } from "./wrangler.ts";

export interface RunningServer {
  server: LocalServer;
  /** Resolves with the exit code when the server has ended. */
  ended: Promise<number>;
  stop(): Promise<void>;
}

export interface Wishes {
  port: number;
  /** Passed on to `wrangler dev`. */
  parameters: readonly string[];
  /** Makes the workspace and gives what a partner needs to call it. */
  prepare(admin: AdminConnection, baseUrl: string): Promise<LocalServer>;
  tell(progress: string): void;
}

/** Starts everything, in order; throws with a text for the person who started it. */
export async function serve(
  state: State,
  { port, parameters, prepare, tell }: Wishes,
): Promise<RunningServer> {
  if (await isServing(state))
    throw new Error(`A server is running already on the state of ${state.directory}`);
  withdraw(state);
  if (await isTaken(port))
    throw new Error(`Port ${port} is taken: name another one, e.g. PORT=8788 npm start`);
  tell("Migrating the database");
  await migrate(state);
  forgetRegistry(state);
  tell(`Starting the server on port ${port}`);
  const dev = wrangler(devParameters(state, port, parameters), state);
  const baseUrl = `http://127.0.0.1:${port}`;
  try {
    await untilItAnswers(dev, baseUrl);
    tell("Preparing the demo workspace");
    const admin = await openAdmin(state);
    const server = await prepare(admin, baseUrl).finally(() => admin.close());
    announce(state, server);
    const cron = scheduled(baseUrl);
    dev.show();
    const ended = dev.ended.finally(() => {
      cron.stop();
      withdraw(state);
    });
    return { server, ended, stop: () => stop(dev) };
  } catch (error) {
    await stop(dev);
    throw error;
  }
}

async function migrate(state: State): Promise<void> {
  const apply = wrangler(
    ["d1", "migrations", "apply", "DB", "--local", "--persist-to", state.directory],
    state,
  );
  if ((await apply.ended) === 0) return;
  throw new Error(`The migrations of ${state.directory} failed:\n${apply.output()}`);
}

/** What the caller names itself wins. */
function devParameters(state: State, port: number, given: readonly string[]): string[] {
  const isGiven = (name: string) => given.some((word) => word === name || word.startsWith(`${name}=`));
  const defaults: [string, string][] = [
    ["--port", String(port)],
    ["--ip", "127.0.0.1"],
    ["--inspector-port", "0"],
    ["--persist-to", state.directory],
    ["--show-interactive-dev-session", "false"],
  ];
  return [
    "dev",
    ...defaults.flatMap(([name, value]) => (isGiven(name) ? [] : [name, value])),
    "--var",
    "ALLOW_LOCAL_WEBHOOK_TARGETS:true",
    ...given,
  ];
}

const startWithinMs = 120_000;
const pollMs = 100;

async function untilItAnswers(dev: WranglerProcess, baseUrl: string): Promise<void> {
  let hasEnded = false;
  dev.ended.then(() => {
    hasEnded = true;
  });
  for (const until = Date.now() + startWithinMs; Date.now() < until; ) {
    if (hasEnded) throw new Error(`wrangler dev ended while it started:\n${dev.output()}`);
    if (await answers(baseUrl)) return;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw new Error(`The server does not answer at ${baseUrl}:\n${dev.output()}`);
}

const minuteMs = 60_000;

/** `wrangler dev` fires no cron by itself: this does, at each full minute. */
function scheduled(baseUrl: string): { stop(): void } {
  let timer: NodeJS.Timeout;
  const next = () => {
    timer = setTimeout(fire, minuteMs - (Date.now() % minuteMs));
  };
  const fire = async () => {
    next();
    await fetch(`${baseUrl}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`, { method: "POST" }).then(
      (response) => response.body?.cancel(),
      () => {},
    );
  };
  next();
  return { stop: () => clearTimeout(timer) };
}
