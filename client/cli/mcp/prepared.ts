/** Stores prepared work in this user's files, so that any session can commit it, even after this process is killed. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

interface PreparedWork {
  /** The Idempotency-Key. */
  handle: string;
  operationId: string;
  path: string;
  body: unknown;
  /** The workspace in which it was prepared. */
  organizationId: string;
  /** A description of what it would do. */
  words: string;
  /** The version that an e-mail is about. */
  versionNumber?: number;
}

/** Matches how long the service remembers a key. */
const keptDays = 30;
const dayMs = 86_400_000;

const handlePattern = /^mcp-[0-9a-f-]{36}$/;

export const newHandle = (): string => `mcp-${crypto.randomUUID()}`;

export interface PreparedStore {
  keep(work: PreparedWork): void;
  find(handle: string): PreparedWork | undefined;
}

export const defaultDirectory = (): string =>
  join(process.env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "partner-api", "prepared");

export function preparedStore(directory: string): PreparedStore {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const pathOf = (handle: string) => join(directory, `${handle}.json`);
  removeOld(directory);
  return {
    keep(work) {
      const unfinished = `${pathOf(work.handle)}.unfinished`;
      writeFileSync(unfinished, JSON.stringify(work), { mode: 0o600 });
      const file = openSync(unfinished, "r");
      fsyncSync(file);
      closeSync(file);
      renameSync(unfinished, pathOf(work.handle));
    },
    find(handle) {
      if (!handlePattern.test(handle)) return undefined;
      try {
        return isOld(pathOf(handle)) ? undefined : JSON.parse(readFileSync(pathOf(handle), "utf8"));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw error;
      }
    },
  };
}

function removeOld(directory: string): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (isOld(path)) rmSync(path, { force: true });
  }
}

/** Whether a file is too old to keep. A missing file is not. */
function isOld(path: string): boolean {
  const written = statSync(path, { throwIfNoEntry: false });
  return written !== undefined && written.mtimeMs < Date.now() - keptDays * dayMs;
}
