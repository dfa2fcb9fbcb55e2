import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";

const memory = "/dev/shm";
/** Far more than all databases of a run need, which is about 50 MB. */
const minFreeBytes = 2 ** 30;

function hasRoom(): boolean {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= minFreeBytes;
}

/**
 * Puts the databases of workerd into a file system in memory, if there is one. D1 and each coordinator wait for the
 * disk at every write, which takes a third of these tests' time.
 */
export default function setup(): void {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return;
  const directory = mkdtempSync(`${memory}/partner-api-tests-`);
  process.env.TMPDIR = directory;
  // Runs even if the run is interrupted with Ctrl-C.
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
}
