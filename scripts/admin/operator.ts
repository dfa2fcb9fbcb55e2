/** The name of the person who runs a command, for the audit log. It comes from this machine and is not verified. */
import { execFile } from "node:child_process";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Environment } from "./parameters.ts";

const wrangler = join(import.meta.dirname, "../../node_modules/.bin/wrangler");
const answerWithinMs = 10_000;

/** In production, the wrangler account's e-mail address, if it is known. Otherwise, this machine's user name. */
export async function operator(environment?: Environment): Promise<string> {
  return (environment && (await wranglerAccount())) ?? `${userInfo().username}@${hostname()}`;
}

async function wranglerAccount(): Promise<string | undefined> {
  try {
    const options = { timeout: answerWithinMs, env: { ...process.env, WRANGLER_SEND_METRICS: "false" } };
    const { stdout } = await promisify(execFile)(wrangler, ["whoami", "--json"], options);
    const { email } = JSON.parse(stdout) as { email?: unknown };
    return typeof email === "string" && email !== "" ? email : undefined;
  } catch {
    return undefined;
  }
}
