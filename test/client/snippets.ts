import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LocalServer } from "../../scripts/local/state.ts";
import { root } from "./installed.ts";

const readme = readFileSync(join(root, "client", "README.md"), "utf8");

export const snippets = [...readme.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => code as string);

export const client = (snippets[0] ?? "").split("await api.")[0] ?? "";

export const environmentOf = ({ base_url, apikey, token }: LocalServer) => ({
  ...process.env,
  PARTNER_API_URL: base_url,
  PARTNER_API_KEY: apikey,
  PARTNER_API_TOKEN: token,
});

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

const run = (command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(command, args, { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

export function runCode(directory: string, code: string, environment: NodeJS.ProcessEnv): Promise<Ran> {
  const file = join(directory, `snippet-${crypto.randomUUID()}.mjs`);
  writeFileSync(file, code);
  return run(process.execPath, ["--no-warnings", file], directory, environment);
}

export const runPython = (directory: string, code: string, environment: NodeJS.ProcessEnv): Promise<Ran> =>
  run("python3", ["-c", code], directory, {
    ...environment,
    PYTHONPATH: join(root, "client-python"),
    PYTHONDONTWRITEBYTECODE: "1",
  });

export function startCode(directory: string, code: string, environment: NodeJS.ProcessEnv): ChildProcess {
  const file = join(directory, `snippet-${crypto.randomUUID()}.mjs`);
  writeFileSync(file, code);
  return spawn(process.execPath, ["--no-warnings", file], {
    cwd: directory,
    env: environment,
    stdio: ["ignore", "inherit", "inherit"],
  });
}
