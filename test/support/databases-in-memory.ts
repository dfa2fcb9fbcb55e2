import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";

const memory = "/dev/shm";
/** Far more than the databases of a whole run need, which is about 50 MB. */
const minFreeBytes = 2 ** 30;

function hasRoom(): boolean {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= minFreeBytes;
}

/**
 * Puts workerd's databases on an in-memory file system, if there is one. Otherwise D1 and the coordinators wait for the
 * disk at every write, which takes a third of these tests' time.
 */
export default function setup(): void {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return;
  const directory = mkdtempSync(`${memory}/partner-api-tests-`);
  process.env.TMPDIR = directory;
  // Also runs after Ctrl-C.
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
}
