import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";

const memory = "/dev/shm";
/** How much of the memory all databases of a run take together: about 50 MB. */
const minFreeBytes = 2 ** 30;

function hasRoom(): boolean {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= minFreeBytes;
}

/**
 * If the system keeps files in memory, the tests' workerd databases go there: D1 and each coordinator wait for
 * the disk at every write, which is a third of the time that these tests take.
 */
export default function setup(): void {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return;
  const directory = mkdtempSync(`${memory}/partner-api-tests-`);
  process.env.TMPDIR = directory;
  // Even when the run is interrupted from the keyboard.
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
}
