import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export const root = join(import.meta.dirname, "..", "..");
const run = promisify(execFile);

/** Packs the package and installs it offline in another folder, as a partner would. */
export async function installPackage(): Promise<{ directory: string; remove(): void }> {
  const directory = mkdtempSync(join(tmpdir(), "partner-"));
  const source = join(directory, "source");
  mkdirSync(source);
  for (const file of ["package.json", "README.md", "SKILL.md"])
    cpSync(join(root, "client", file), join(source, file));
  const build = join(root, "client", "scripts", "build.ts");
  await run(process.execPath, ["--no-warnings", build, "--outdir", join(source, "dist")]);
  const packed = join(directory, "packed");
  mkdirSync(packed);
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", ["pack", "--pack-destination", packed, ...quiet], { cwd: source });
  const [tarball = ""] = readdirSync(packed);
  writeFileSync(join(directory, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await run("npm", ["install", "--offline", join(packed, tarball), ...quiet], { cwd: directory });
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}
