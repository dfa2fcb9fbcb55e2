import { spawnSync } from "node:child_process";

/** Whether Python code can run here. CI installs python3 and refuses to run without it (.ci/run). */
export const hasPython = spawnSync("python3", ["--version"]).status === 0;
