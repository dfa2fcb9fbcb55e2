import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  type ClientOptions,
  Driver,
  type DriverOutcome,
  type DriverRequest,
  type Language,
  type ReportedError,
} from "./protocol.ts";
import { type ReceivedRequest, type Script, ScriptedService } from "./service.ts";

/** Credentials for a service run by `npm start`, in a workspace that no other test uses. */
export interface RealService {
  baseUrl: string;
  apikey: string;
  token: string;
}

export interface ClientScenario {
  promise: string;
  run(stage: Stage): Promise<void>;
}

export type ClientGiven = DriverRequest["client"];
type Asking = Partial<Omit<DriverRequest, "id" | "do" | "client" | "method">>;

/** A scenario's environment: a client in one language, with services and databases for it. */
export class Stage {
  readonly language: Language;
  readonly driver: Driver;
  /** The clients in other languages, for scenarios that need several. */
  readonly others: readonly Driver[];
  readonly #realService: RealService | undefined;
  readonly #undo: (() => unknown)[] = [];

  constructor(language: Language, driver: Driver, others: readonly Driver[], realService?: RealService) {
    this.language = language;
    this.driver = driver;
    this.others = others;
    this.#realService = realService;
  }

  /** Starts a scripted service, and returns the options for its client. */
  serve = async (
    script: Script,
    options: Partial<ClientOptions> = {},
  ): Promise<{ asked: ReceivedRequest[]; client: ClientGiven }> => {
    const service = new ScriptedService(script);
    const baseUrl = await service.listen();
    this.#undo.push(() => service.close());
    return { asked: service.asked, client: { baseUrl, apikey: "pk_test", token: "svc_test", ...options } };
  };

  get real(): ClientGiven {
    assert.ok(this.#realService, "There is no real service to ask");
    return { ...this.#realService };
  }

  call = (client: ClientGiven, method: string, asking: Asking = {}): Promise<DriverOutcome> =>
    this.driver.start({ do: "call", client, method, ...asking }).outcome;

  list = (client: ClientGiven, method: string, asking: Asking = {}): Promise<DriverOutcome> =>
    this.driver.start({ do: "list", client, method, ...asking }).outcome;

  ask = (what: string, client: ClientGiven, asking: Asking = {}): Promise<DriverOutcome> =>
    this.driver.start({ do: what, client, ...asking }).outcome;

  /** Starts a separate process that the scenario may kill. */
  spawn = (environment: Record<string, string> = {}): Driver => {
    const driver = new Driver(this.language, environment);
    this.#undo.push(() => driver.kill());
    return driver;
  };

  database = (): { file: string; database: DatabaseSync } => {
    const directory = mkdtempSync(join(tmpdir(), "conformance-"));
    const file = join(directory, "partner.sqlite");
    const database = new DatabaseSync(file, { timeout: 10_000 });
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
    database.exec("CREATE TABLE work (number INTEGER PRIMARY KEY AUTOINCREMENT, event_id TEXT)");
    database.exec("CREATE TABLE copy (id TEXT PRIMARY KEY, name TEXT, updated_at TEXT)");
    this.#undo.push(() => {
      database.close();
      rmSync(directory, { recursive: true });
    });
    return { file, database };
  };

  /** Cleans up in reverse order, because a process must release its file before the file is deleted. */
  async clear(): Promise<void> {
    for (const undo of this.#undo.reverse()) await undo();
  }
}

export function resultOf<T = never>({ result, error }: DriverOutcome): T {
  assert.equal(error, undefined);
  return (result as { value?: T } | null)?.value ?? (result as T);
}

export function errorOf({ result, error }: DriverOutcome): ReportedError {
  assert.ok(error, `resolved with ${JSON.stringify(result)}`);
  return error;
}

const patienceMs = 40_000;
const pollMs = 20;

export async function until(isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + patienceMs; !isSo(); ) {
    if (Date.now() > end) throw new Error("nothing moves any more");
    await pause(pollMs);
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
