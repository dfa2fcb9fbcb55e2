import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "esbuild";

const root = join(import.meta.dirname, "..", "..");

export const release = readFileSync(join(import.meta.dirname, "last-release"), "utf8").trim();

/** Whether this clone contains the release's commit. A shallow clone does not, and `.ci/run` refuses to run there. */
export const isReleaseHere = spawnSync("git", ["cat-file", "-e", release], { cwd: root }).status === 0;

export const withoutRelease = `this clone lacks ${release}, the last release: run git fetch --unshallow`;

/** Extracts these paths at a commit into a folder. */
export function checkOut(commit: string, paths: readonly string[], folder: string): void {
  const archive = execFileSync("git", ["archive", commit, ...paths], { cwd: root, maxBuffer: 1e8 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
}

/** Stubs the release's icon package, which is no longer installed. */
export const withoutIcons: Plugin = {
  name: "without-icons",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^lucide-static\// }, ({ path }) => ({ path, namespace: "icons" }));
    onLoad({ filter: /^/, namespace: "icons" }, () => ({ contents: 'export default "<svg></svg>";' }));
  },
};

export const migrationsIn = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );

export const presentMigrations = migrationsIn(join(root, "migrations"));
