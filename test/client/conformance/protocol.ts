import { type ChildProcessByStdio, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { hasPython } from "../../support/python.ts";

export interface Language {
  name: string;
  command: readonly string[];
}

const driver = (file: string) => join(import.meta.dirname, "drivers", file);

/** The clients that this machine can run. */
export const languages: readonly Language[] = [
  { name: "TypeScript", command: [process.execPath, "--no-warnings", driver("typescript.ts")] },
  ...(hasPython ? [{ name: "Python", command: ["python3", driver("python.py")] }] : []),
];

export interface ClientOptions {
  baseUrl: string;
  apikey?: string;
  token?: string;
  webhookSecret?: string | string[];
  timeoutMs?: number;
  maxRetries?: number;
}

/** A request to a driver. See README.md for each `do`. */
export interface DriverRequest {
  id: number;
  do: string;
  client: Required<Pick<ClientOptions, "baseUrl" | "apikey" | "token">> & ClientOptions;
  method?: string;
  values?: unknown[];
  body?: unknown;
  query?: Record<string, unknown>;
  options?: { idempotencyKey?: string; maxRetries?: number; timeoutMs?: number };
  walk?: "items" | "page" | "pages" | "all";
  max?: number;
  scheme?: "legacy";
  raw?: string;
  headers?: Record<string, string>;
  sign?: [id: string, timestamp: number, body: string, secret: string];
  store?: { file: string; name: string; table: string };
  feed?: { types?: string[]; updated_since?: string; cursor?: string; pollSeconds?: number };
  failAt?: string;
  slow?: boolean;
  follower?: number;
}

export interface ReportedError {
  isOurs: boolean;
  message: string;
  name?: string;
  retryable?: boolean;
  status?: number;
  code?: string | null;
  requestId?: string | null;
  body?: unknown;
  errors?: { field: string; message: string; suggestion?: string }[];
}

interface ReportedRetry {
  retry: number;
  delayMs: number;
  error: string;
  method: string;
  path: string;
}

/** A request's outcome, and the retries and outages before it. */
export interface DriverOutcome {
  result?: unknown;
  error?: ReportedError;
  retries: ReportedRetry[];
  outages: string[];
}

interface Waiting extends DriverOutcome {
  settle(outcome: DriverOutcome): void;
}

/** JSON with U+2028 and U+2029 escaped, because Node's readline treats them as line breaks. */
export const lineOf = (value: object): string =>
  JSON.stringify(value).replaceAll(/[\u2028\u2029]/g, (one) => (one === "\u2028" ? "\\u2028" : "\\u2029"));

export class Driver {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: Promise<unknown>;
  #count = 0;

  constructor(
    { command: [program = "", ...parameters] }: Language,
    environment: Record<string, string> = {},
  ) {
    const env = { ...process.env, NO_PROXY: "127.0.0.1", PYTHONDONTWRITEBYTECODE: "1", ...environment };
    this.#child = spawn(program, parameters, { env, stdio: ["pipe", "pipe", "inherit"] });
    this.#child.stdin.on("error", () => {});
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#take(JSON.parse(line)));
    this.#ended = new Promise((resolve) => this.#child.once("close", resolve));
  }

  /** Sends a request. `told` collects the retries and outages until `outcome` resolves. */
  start(request: Omit<DriverRequest, "id">): {
    id: number;
    told: DriverOutcome;
    outcome: Promise<DriverOutcome>;
  } {
    const id = ++this.#count;
    const { promise, resolve } = Promise.withResolvers<DriverOutcome>();
    const told: Waiting = { retries: [], outages: [], settle: resolve };
    this.#waiting.set(id, told);
    this.#child.stdin.write(`${lineOf({ ...request, id })}\n`);
    return { id, told, outcome: Promise.race([promise, this.#ended.then(() => told)]) };
  }

  /** Kills the process abruptly, like a power failure. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  #take({ id, ...line }: { id: number } & Partial<DriverOutcome & ReportedRetry & { outage: string }>): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    if (line.retry !== undefined) waiting.retries.push(line as ReportedRetry);
    else if (line.outage !== undefined) waiting.outages.push(line.outage);
    else {
      this.#waiting.delete(id);
      waiting.settle({ ...waiting, ...line });
    }
  }
}
