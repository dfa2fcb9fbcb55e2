import { readFileSync } from "node:fs";

/**
 * Whether npm, which ran this script, has ended: a killed npm passes no signal on. There may be a shell between
 * npm and the script that outlives npm; on Linux its parent is checked.
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
