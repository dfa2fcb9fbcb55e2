import { accessSync, constants, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { State } from "./state.ts";

/**
 * Locks the state folder for this process until the lock is closed. The lock is an operating system lock on an open
 * file, so it is released even if the process is killed. Throws an error with a message if another server holds the
 * lock or the folder is not writable.
 */
export function lockState({ directory }: State): Pick<DatabaseSync, "close"> {
  requireWritable(directory);
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true }))
    if (entry.isDirectory()) requireWritable(join(entry.parentPath, entry.name));
  const lock = new DatabaseSync(join(directory, "lock"), { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error;
    throw new Error(`A server is already using the state in ${directory}`);
  }
}

const sqliteBusy = 5;

/** Creates a folder if it is missing. Throws an error with a message if it is not writable. */
export function requireWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`${folder} is not writable: ${reasons[code ?? ""] ?? code}`);
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "it belongs to another user",
  EROFS: "it is on a read-only file system",
  EEXIST: "a file has this name",
  ENOENT: "it cannot be created there",
  ENOTDIR: "a part of the path is a file",
};
