import { execFile, execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { LocalServer } from "../../scripts/local/state.ts";
import { root } from "./installed.ts";

const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(
    ([, code]) => code ?? "",
  );

export const guides = readdirSync(join(root, "docs", "guides"))
  .filter((name) => name !== "README.md")
  .map((name) => name.replace(/\.md$/, ""));

/** A guide's commands and code, in page order. */
export async function servedGuide({ base_url }: LocalServer, name: string) {
  const page = await fetch(`${base_url}/docs/${name}.md`);
  const text = await page.text();
  const shell = blocksOf(text, "sh");
  return {
    shell: shell.join("\n"),
    /** The environment variables set in the page's first shell block. */
    environment: environmentAfter(shell[0] ?? ""),
    javascript: blocksOf(text, "js").join("\n"),
    python: blocksOf(text, "python").join("\n"),
  };
}

const environmentAfter = (setup: string): NodeJS.ProcessEnv =>
  JSON.parse(execFileSync("bash", ["-c", `${setup}\nnode -p 'JSON.stringify(process.env)'`]).toString());

export function runShell(commands: string, environment: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      "bash",
      ["-c", `set -euo pipefail\n${commands}`],
      { cwd: root, env: environment },
      (error, stdout, stderr) => resolve(error ? `${error.code}: ${stdout.slice(-500)} ${stderr}` : ""),
    );
  });
}
