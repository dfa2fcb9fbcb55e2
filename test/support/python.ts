import { spawnSync } from "node:child_process";

/** Whether this machine can run Python. CI installs python3 and fails without it (.ci/run). */
export const hasPython = spawnSync("python3", ["--version"]).status === 0;
