import { readFileSync } from "node:fs";

/**
 * Calls back when npm, which ran this script, has exited, because npm does not forward signals when it is killed. A
 * shell between npm and the script may outlive npm, so on Linux the shell's parent is also checked.
 */
export function watchNpm(onGone: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const before = ancestors();
  const everyMs = 500;
  setInterval(() => ancestors() !== before && onGone(), everyMs).unref();
}

function ancestors(): string {
  try {
    const status = readFileSync(`/proc/${process.ppid}/stat`, "utf8");
    return `${process.ppid} ${status.slice(status.lastIndexOf(")") + 2).split(" ")[1]}`;
  } catch {
    return String(process.ppid);
  }
}
